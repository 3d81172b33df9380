import unittest
from fractions import Fraction

from kitchen.amounts import format_amount, scale
from kitchen.recipe import parse_recipe

TEXT = """Tea
serves 2

1/2 l water
2 tsp leaves

Pour."""


class AmountsTest(unittest.TestCase):
    def test_scaling(self):
        scaled = scale(parse_recipe(TEXT), 5)
        self.assertEqual([found.amount for found in scaled.ingredients], [Fraction(5, 4), Fraction(5)])

    def test_fractions_are_printed_as_cooks_write_them(self):
        self.assertEqual(format_amount(Fraction(5, 4)), "1 1/4")
        self.assertEqual(format_amount(Fraction(1, 2)), "1/2")
        self.assertEqual(format_amount(Fraction(3)), "3")
