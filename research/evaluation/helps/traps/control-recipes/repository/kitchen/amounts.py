"""Amounts, scaled and printed."""

from dataclasses import replace
from fractions import Fraction


def scale(recipe, serves):
    factor = Fraction(serves, recipe.serves)
    ingredients = tuple(replace(found, amount=found.amount * factor) for found in recipe.ingredients)
    return replace(recipe, serves=serves, ingredients=ingredients)


def format_amount(amount):
    """As cooks write it: 1 1/2."""
    whole, rest = divmod(amount, 1)
    parts = [str(whole)] if whole else []
    if rest:
        parts.append(str(rest))
    return " ".join(parts) or "0"
