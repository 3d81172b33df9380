import unittest

from guestbook.previews import feed_title, preview, quote
from guestbook.search import BadQuery, find
from guestbook.service import GuestBook, Refused
from guestbook.settings import limits


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

    def test_the_search_finds_all_words(self):
        entries = [("heron", "a nice place"), ("otter", "nice view"), ("heron", "what a place, how nice")]
        self.assertEqual(find(entries, "Nice PLACE"), [entries[2], entries[0]])
        with self.assertRaises(BadQuery):
            find(entries, "a")

    def test_beginnings(self):
        self.assertEqual(preview("short"), "short")
        self.assertTrue(preview("word " * 100).endswith("word ..."))
        self.assertEqual(quote("a\nb"), "> a\n> b")
        self.assertEqual(feed_title("otter", "x"), "otter: x")
