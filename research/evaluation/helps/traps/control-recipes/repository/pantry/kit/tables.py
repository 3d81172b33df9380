"""Tables for people."""


def lay_out(rows, gap=2):
    """Lines of rows of words, each column as wide as its longest word."""
    rows = [tuple(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield (" " * gap).join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()


def underline(lines):
    """Put a line of dashes below the first line."""
    lines = list(lines)
    if lines:
        lines.insert(1, "-" * max(map(len, lines)))
    return lines


def shorten(text, width):
    """At most width characters, with three dots if some were dropped."""
    return text if len(text) <= width else text[: max(0, width - 3)].rstrip() + "..."
