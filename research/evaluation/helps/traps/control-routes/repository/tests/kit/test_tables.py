import unittest

from rangers.kit.tables import lay_out, shorten, underline


class TablesTest(unittest.TestCase):
    def test_columns_are_as_wide_as_their_longest_word(self):
        self.assertEqual(list(lay_out([("a", "bcd"), ("efg", "h")])), ["a    bcd", "efg  h"])

    def test_the_head_is_underlined(self):
        self.assertEqual(underline(["ab", "cde"]), ["ab", "---", "cde"])
        self.assertEqual(underline([]), [])

    def test_long_words_are_shortened(self):
        self.assertEqual(shorten("a long text", 8), "a lon...")
        self.assertEqual(shorten("short", 8), "short")
