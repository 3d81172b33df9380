"""The lay-out of labels."""

import textwrap

WIDTH = 24


def name_lines(name):
    """At most two lines; what does not fit is dropped."""
    return textwrap.wrap(name, WIDTH, max_lines=2, placeholder="...")


def lay_out(product):
    yield from name_lines(product.name)
    yield f"{product.price} EUR"
    yield f"{product.code} / {product.shelf}"


def printer_line(product):
    return "|".join((product.shelf, str(product.price), *name_lines(product.name)))
