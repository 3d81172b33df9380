import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import hives as lists
from apiary.model.hives import HIVES, changes_of_hive, describe_hive, format_hive, parse_hive

ROWS = [
    {
        "code": "H0333",
        "place": "New hill 8",
        "since": "2025-02-14",
        "boxes": "2",
        "kind": "wood",
        "sold": "no",
        "remark": "after rain",
    },
    {
        "code": "H0519",
        "place": "South lime 5",
        "since": "2025-05-14",
        "boxes": "6",
        "kind": "foam",
        "sold": "yes",
        "remark": "",
    },
    {
        "code": "H0594",
        "place": "Old willow 7",
        "since": "2025-06-11",
        "boxes": "6",
        "kind": "wood",
        "sold": "no",
        "remark": "",
    },
    {
        "code": "H0629",
        "place": "Sunny orchard",
        "since": "2025-06-25",
        "boxes": "2",
        "kind": "log",
        "sold": "no",
        "remark": "weighed twice",
    },
]


class HiveTest(unittest.TestCase):
    def setUp(self):
        self.hives = [parse_hive(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_hive(item) for item in self.hives], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HIVES.read()), 181)
        self.assertEqual(HIVES.get("H0333"), self.hives[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0333",
            "place: New hill 8",
            "since: 14.02.2025",
            "boxes: 2",
            "kind: wood",
            "remark: after rain",
        ]
        self.assertEqual(list(describe_hive(self.hives[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_hive(self.hives[0], self.hives[1])
        wanted = ["code", "place", "since", "boxes", "kind", "sold", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_hive(self.hives[0], self.hives[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_hive(ROWS[0] | {"since": "31.02.2025"})

    def test_boxes_is_checked(self):
        with self.assertRaises(BadField):
            parse_hive(ROWS[0] | {"boxes": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_hive(ROWS[0] | {"kind": "unheard of"})

    def test_sold_is_checked(self):
        with self.assertRaises(BadField):
            parse_hive(ROWS[0] | {"sold": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.hives, "SOUTH")
        self.assertEqual([item.code for item in found], ["H0519"])

    def test_pick_since_between(self):
        first, last = date(2025, 5, 14), date(2025, 6, 11)
        found = lists.pick_since_between(self.hives, first, last)
        self.assertEqual([item.code for item in found], ["H0519", "H0594"])

    def test_mean_boxes(self):
        self.assertEqual(lists.mean_boxes(self.hives), 4.0)
        self.assertIsNone(lists.mean_boxes([]))

    def test_at_least_boxes(self):
        found = lists.at_least_boxes(self.hives, 6)
        self.assertEqual([item.code for item in found], ["H0519", "H0594"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.hives)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wood": 2, "foam": 1, "log": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.hives), [("wood", 2), ("foam", 1), ("log", 1)])

    def test_pick_sold(self):
        found = lists.pick_sold(self.hives)
        self.assertEqual([item.code for item in found], ["H0519"])


if __name__ == "__main__":
    unittest.main()
