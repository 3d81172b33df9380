import re
import unittest
from pathlib import Path

from guestbook.service import GuestBook, Refused


def promised():
    text = Path("docs/limits.md").read_text()
    return [int(number) for number in re.findall(r"^\|[^|]*\| (\d+) ", text, re.MULTILINE)]


class PromisesTest(unittest.TestCase):
    """The service does what docs/limits.md promises."""

    def setUp(self):
        self.now = 0
        self.book = GuestBook(lambda: self.now)
        self.away, self.name, self.entry, self.pause, self.page = promised()[:5]

    def refused(self, action, *values):
        try:
            action(*values)
        except Refused:
            return True
        return False

    def test_time_away(self):
        token = self.book.sign_in("heron")
        self.now += self.away
        self.assertFalse(self.refused(self.book.visitor, token), f"signed out within {self.away} seconds")
        self.now += self.away + 1
        self.assertTrue(self.refused(self.book.visitor, token), f"not signed out after {self.away} seconds")

    def test_length_of_a_name(self):
        self.assertFalse(self.refused(self.book.sign_in, "x" * self.name))
        self.assertTrue(self.refused(self.book.sign_in, "x" * (self.name + 1)))

    def test_length_of_an_entry(self):
        token = self.book.sign_in("heron")
        self.assertFalse(self.refused(self.book.write, token, "x" * self.entry), f"{self.entry} bytes refused")
        self.now += self.pause
        self.assertTrue(self.refused(self.book.write, token, "x" * (self.entry + 1)), "one more byte accepted")

    def test_entries_of_a_page(self):
        token = self.book.sign_in("heron")
        for number in range(self.page + 1):
            self.now += self.pause
            self.book.write(token, str(number))
        self.assertEqual(len(self.book.page(1)), self.page)
        self.assertEqual(self.book.page(2), [("heron", "0")])
