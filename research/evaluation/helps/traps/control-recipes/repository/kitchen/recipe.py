"""Read recipes."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path


@dataclass(frozen=True)
class Ingredient:
    amount: Fraction
    unit: str
    name: str


@dataclass(frozen=True)
class Recipe:
    title: str
    serves: int
    ingredients: tuple[Ingredient, ...]
    steps: str


def parse_recipe(text):
    head, ingredients, steps = text.strip().split("\n\n", 2)
    title, serves = head.splitlines()
    found = []
    for line in ingredients.splitlines():
        amount, unit, name = line.split(maxsplit=2)
        found.append(Ingredient(Fraction(amount), unit, name))
    return Recipe(title, int(serves.removeprefix("serves ")), tuple(found), steps)


def read_recipes(folder):
    return {path.stem: parse_recipe(path.read_text()) for path in sorted(Path(folder).glob("*.txt"))}
