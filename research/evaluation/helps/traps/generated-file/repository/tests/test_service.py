import unittest

from guestbook import limits
from guestbook.service import GuestBook, Refused


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.book = GuestBook(lambda: self.now)

    def test_an_entry_is_on_the_first_page(self):
        self.book.write(self.book.sign_in("heron"), "Nice place")
        self.assertEqual(self.book.page(1), [("heron", "Nice place")])

    def test_a_visitor_waits_between_entries(self):
        token = self.book.sign_in("heron")
        self.book.write(token, "one")
        with self.assertRaises(Refused):
            self.book.write(token, "two")
        self.now += limits.PAUSE_SECONDS
        self.book.write(token, "two")
        self.assertEqual(len(self.book.entries), 2)

    def test_a_visitor_who_is_away_is_signed_out(self):
        token = self.book.sign_in("heron")
        self.now += limits.IDLE_SECONDS + 1
        with self.assertRaises(Refused):
            self.book.write(token, "one")
