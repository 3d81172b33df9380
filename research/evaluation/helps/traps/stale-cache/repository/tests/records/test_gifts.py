import unittest
from datetime import date

from room.kit.fields import BadField
from room.lists import gifts as lists
from room.records.gifts import GIFTS, format_gift, parse_gift

ROWS = [
    {"code": "G0165", "received": "2024-05-22", "boxes": "2", "taken": "37", "refused": "61", "way": "post", "remark": "stamp is missing"},
    {"code": "G0305", "received": "2024-07-18", "boxes": "6", "taken": "30", "refused": "55", "way": "fetched", "remark": "see the list at the desk"},
    {"code": "G0675", "received": "2024-12-20", "boxes": "6", "taken": "97", "refused": "32", "way": "desk", "remark": ""},
    {"code": "G0745", "received": "2025-01-19", "boxes": "6", "taken": "117", "refused": "15", "way": "fetched", "remark": "to the shed"},
]


class GiftTest(unittest.TestCase):
    def setUp(self):
        self.gifts = [parse_gift(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_gift(item) for item in self.gifts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GIFTS.read()), 187)
        self.assertEqual(GIFTS.get("G0165"), self.gifts[0])

    def test_received_is_checked(self):
        with self.assertRaises(BadField):
            parse_gift(ROWS[0] | {"received": "31.02.2025"})

    def test_boxes_is_checked(self):
        with self.assertRaises(BadField):
            parse_gift(ROWS[0] | {"boxes": "several"})

    def test_taken_is_checked(self):
        with self.assertRaises(BadField):
            parse_gift(ROWS[0] | {"taken": "several"})

    def test_refused_is_checked(self):
        with self.assertRaises(BadField):
            parse_gift(ROWS[0] | {"refused": "several"})

    def test_way_is_checked(self):
        with self.assertRaises(BadField):
            parse_gift(ROWS[0] | {"way": "unheard of"})

    def test_find_received_between(self):
        first, last = date(2024, 7, 18), date(2024, 12, 20)
        self.assertEqual([item.code for item in lists.find_received_between(self.gifts, first, last)], ["G0305", "G0675"])

    def test_mean_boxes(self):
        self.assertEqual(lists.mean_boxes(self.gifts), 5.0)
        self.assertIsNone(lists.mean_boxes([]))

    def test_at_least_boxes(self):
        self.assertEqual([item.code for item in lists.at_least_boxes(self.gifts, 6)], ["G0305", "G0675", "G0745"])

    def test_mean_taken(self):
        self.assertEqual(lists.mean_taken(self.gifts), 70.2)
        self.assertIsNone(lists.mean_taken([]))

    def test_at_least_taken(self):
        self.assertEqual([item.code for item in lists.at_least_taken(self.gifts, 97)], ["G0675", "G0745"])

    def test_mean_refused(self):
        self.assertEqual(lists.mean_refused(self.gifts), 40.8)
        self.assertIsNone(lists.mean_refused([]))

    def test_at_least_refused(self):
        self.assertEqual([item.code for item in lists.at_least_refused(self.gifts, 55)], ["G0165", "G0305"])

    def test_by_way(self):
        groups = lists.by_way(self.gifts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"post": 1, "fetched": 2, "desk": 1})

    def test_count_ways(self):
        self.assertEqual(lists.count_ways(self.gifts), [("fetched", 2), ("desk", 1), ("post", 1)])


if __name__ == "__main__":
    unittest.main()
