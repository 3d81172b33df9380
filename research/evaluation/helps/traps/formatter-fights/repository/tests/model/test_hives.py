import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import hives as lists
from apiary.model.hives import HIVES, changes_of_hive, describe_hive, format_hive, parse_hive

ROWS = [
    {
        "code": "H0135",
        "place": "Shady clearing",
        "since": "2024-11-17",
        "boxes": "3",
        "kind": "foam",
        "sold": "no",
        "remark": "seen from afar",
    },
    {
        "code": "H0229",
        "place": "Tall wood",
        "since": "2025-01-01",
        "boxes": "1",
        "kind": "wood",
        "sold": "no",
        "remark": "",
    },
    {
        "code": "H0601",
        "place": "East hill",
        "since": "2025-06-13",
        "boxes": "1",
        "kind": "foam",
        "sold": "no",
        "remark": "one frame moved",
    },
    {
        "code": "H0705",
        "place": "Small clearing",
        "since": "2025-08-07",
        "boxes": "1",
        "kind": "log",
        "sold": "no",
        "remark": "seen from afar",
    },
]


class HiveTest(unittest.TestCase):
    def setUp(self):
        self.hives = [parse_hive(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_hive(item) for item in self.hives], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HIVES.read()), 181)
        self.assertEqual(HIVES.get("H0135"), self.hives[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0135",
            "place: Shady clearing",
            "since: 17.11.2024",
            "boxes: 3",
            "kind: foam",
            "remark: seen from afar",
        ]
        self.assertEqual(list(describe_hive(self.hives[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_hive(self.hives[0], self.hives[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "boxes", "kind", "remark"])
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
        found = lists.search_place(self.hives, "TALL")
        self.assertEqual([item.code for item in found], ["H0229"])

    def test_pick_since_between(self):
        first, last = date(2025, 1, 1), date(2025, 6, 13)
        found = lists.pick_since_between(self.hives, first, last)
        self.assertEqual([item.code for item in found], ["H0229", "H0601"])

    def test_mean_boxes(self):
        self.assertEqual(lists.mean_boxes(self.hives), 1.5)
        self.assertIsNone(lists.mean_boxes([]))

    def test_at_least_boxes(self):
        found = lists.at_least_boxes(self.hives, 1)
        self.assertEqual([item.code for item in found], ["H0135", "H0229", "H0601", "H0705"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.hives)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"foam": 2, "wood": 1, "log": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.hives), [("foam", 2), ("log", 1), ("wood", 1)])

    def test_pick_sold(self):
        found = lists.pick_sold(self.hives)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
