import unittest
from decimal import Decimal

from labelling.catalogue import Product, find_product, read_section, sections
from labelling.layout import lay_out, printer_line
from labelling.notices import read_notices

PRODUCT = Product("BK-0009", "A very long loaf with seeds and nuts", Decimal("3.40"), "B4")


class LabelsTest(unittest.TestCase):
    def test_a_label(self):
        self.assertEqual(list(lay_out(PRODUCT)), ["A very long loaf with", "seeds and nuts", "3.40 EUR", "BK-0009 / B4"])

    def test_a_line_for_the_printer(self):
        self.assertEqual(printer_line(PRODUCT), "B4|3.40|A very long loaf with|seeds and nuts")

    def test_codes_go_up(self):
        for section in sections():
            codes = [product.code for product in read_section(section)]
            self.assertEqual(codes, sorted(set(codes)), section)

    def test_a_product_is_found(self):
        self.assertIsNone(find_product("XX-0001"))

    def test_notices_are_there_in_all_languages(self):
        names = {language: list(notices) for language, notices in read_notices().items()}
        self.assertEqual(len(names), 12)
        self.assertEqual(set(map(tuple, names.values())), {tuple(names["en"])})
