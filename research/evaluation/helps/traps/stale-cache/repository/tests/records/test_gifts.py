import unittest
from datetime import date

from room.kit.fields import BadField
from room.lists import gifts as lists
from room.records.gifts import GIFTS, changes_of_gift, describe_gift, format_gift, parse_gift

ROWS = [
    {
        "code": "G0130",
        "received": "2024-10-06",
        "boxes": "6",
        "taken": "116",
        "refused": "52",
        "way": "fetched",
        "remark": "",
    },
    {
        "code": "G0174",
        "received": "2024-10-21",
        "boxes": "5",
        "taken": "17",
        "refused": "46",
        "way": "post",
        "remark": "",
    },
    {
        "code": "G0274",
        "received": "2024-12-04",
        "boxes": "2",
        "taken": "60",
        "refused": "12",
        "way": "fetched",
        "remark": "",
    },
    {
        "code": "G0577",
        "received": "2025-04-05",
        "boxes": "8",
        "taken": "12",
        "refused": "33",
        "way": "fetched",
        "remark": "",
    },
]


class GiftTest(unittest.TestCase):
    def setUp(self):
        self.gifts = [parse_gift(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_gift(item) for item in self.gifts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GIFTS.read()), 219)
        self.assertEqual(GIFTS.get("G0130"), self.gifts[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0130",
            "received: 06.10.2024",
            "boxes: 6",
            "taken: 116",
            "refused: 52",
            "way: fetched",
        ]
        self.assertEqual(list(describe_gift(self.gifts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_gift(self.gifts[0], self.gifts[1])
        wanted = ["code", "received", "boxes", "taken", "refused", "way"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_gift(self.gifts[0], self.gifts[0]), [])

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
        first, last = date(2024, 10, 21), date(2024, 12, 4)
        found = lists.find_received_between(self.gifts, first, last)
        self.assertEqual([item.code for item in found], ["G0174", "G0274"])

    def test_mean_boxes(self):
        self.assertEqual(lists.mean_boxes(self.gifts), 5.2)
        self.assertIsNone(lists.mean_boxes([]))

    def test_at_least_boxes(self):
        found = lists.at_least_boxes(self.gifts, 6)
        self.assertEqual([item.code for item in found], ["G0130", "G0577"])

    def test_mean_taken(self):
        self.assertEqual(lists.mean_taken(self.gifts), 51.2)
        self.assertIsNone(lists.mean_taken([]))

    def test_at_least_taken(self):
        found = lists.at_least_taken(self.gifts, 60)
        self.assertEqual([item.code for item in found], ["G0130", "G0274"])

    def test_mean_refused(self):
        self.assertEqual(lists.mean_refused(self.gifts), 35.8)
        self.assertIsNone(lists.mean_refused([]))

    def test_at_least_refused(self):
        found = lists.at_least_refused(self.gifts, 46)
        self.assertEqual([item.code for item in found], ["G0130", "G0174"])

    def test_by_way(self):
        groups = lists.by_way(self.gifts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"fetched": 3, "post": 1})

    def test_count_ways(self):
        self.assertEqual(lists.count_ways(self.gifts), [("fetched", 3), ("post", 1)])


if __name__ == "__main__":
    unittest.main()
