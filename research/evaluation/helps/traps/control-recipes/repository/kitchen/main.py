"""The command."""

import argparse
import sys

from kitchen.amounts import format_amount, scale
from kitchen.recipe import read_recipes


def show(recipe):
    print(f"{recipe.title}, for {recipe.serves}\n")
    for found in recipe.ingredients:
        print(f"{format_amount(found.amount)} {found.unit} {found.name}")
    print(f"\n{recipe.steps}")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="recipe")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    command = commands.add_parser("show")
    command.add_argument("name")
    command.add_argument("--serves", type=int)
    options = parser.parse_args(arguments)
    recipes = read_recipes("recipes")
    if options.command == "list":
        for name, recipe in recipes.items():
            print(f"{name:<12}{recipe.title}")
        return 0
    if options.name not in recipes:
        print(f"recipe: there is no {options.name}", file=sys.stderr)
        return 1
    recipe = recipes[options.name]
    show(scale(recipe, options.serves) if options.serves else recipe)
    return 0
