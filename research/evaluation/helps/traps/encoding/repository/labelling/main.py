"""The command."""

import argparse
import subprocess
import sys
from pathlib import Path

from labelling.catalogue import find_product, read_section, sections
from labelling.layout import lay_out, printer_line

ROOT = Path(__file__).resolve().parents[1]


def list_section(options):
    for product in read_section(options.section):
        print(f"{product.code}  {product.price:>6}  {product.name}")
    return 0


def show(options):
    product = find_product(options.code)
    if product is None:
        print(f"labels: there is no {options.code}", file=sys.stderr)
        return 1
    print("\n".join(lay_out(product)))
    return 0


def print_section(options):
    target = ROOT / "out" / f"{options.section}.lbl"
    target.parent.mkdir(exist_ok=True)
    products = read_section(options.section)
    target.write_text("".join(f"{printer_line(product)}\n" for product in products), encoding="utf-8")
    print(f"labels: {len(products)} labels, out/{target.name}")
    return 0


def proof(options):
    return subprocess.run([sys.executable, str(ROOT / "share" / "proof.pyz")], cwd=ROOT, check=False).returncode


def main(arguments):
    parser = argparse.ArgumentParser(prog="labels")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("list", help="products of a section")
    command.add_argument("section", choices=sections())
    command.set_defaults(run=list_section)
    command = commands.add_parser("show", help="one product")
    command.add_argument("code")
    command.set_defaults(run=show)
    command = commands.add_parser("print", help="write a file for the printer")
    command.add_argument("section", choices=sections())
    command.set_defaults(run=print_section)
    command = commands.add_parser("proof", help="the proof of the printing works")
    command.set_defaults(run=proof)
    options = parser.parse_args(arguments)
    return options.run(options)
