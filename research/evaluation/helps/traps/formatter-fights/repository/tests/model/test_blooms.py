import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import blooms as lists
from apiary.model.blooms import BLOOMS, changes_of_bloom, describe_bloom, format_bloom, parse_bloom

ROWS = [
    {
        "code": "B0203",
        "plant": "Good lime",
        "from_day": "2024-12-21",
        "until_day": "2025-02-15",
        "kind": "bush",
        "nectar": "2",
        "pollen": "1",
    },
    {
        "code": "B0313",
        "plant": "Heavy phacelia",
        "from_day": "2025-02-12",
        "until_day": "2025-03-24",
        "kind": "bush",
        "nectar": "0",
        "pollen": "0",
    },
    {
        "code": "B0518",
        "plant": "Spare clover",
        "from_day": "2025-05-07",
        "until_day": "2025-05-25",
        "kind": "tree",
        "nectar": "0",
        "pollen": "2",
    },
    {
        "code": "B0538",
        "plant": "Old willow",
        "from_day": "2025-05-19",
        "until_day": "2025-06-09",
        "kind": "bush",
        "nectar": "1",
        "pollen": "2",
    },
]


class BloomTest(unittest.TestCase):
    def setUp(self):
        self.blooms = [parse_bloom(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bloom(item) for item in self.blooms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BLOOMS.read()), 170)
        self.assertEqual(BLOOMS.get("B0203"), self.blooms[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0203",
            "plant: Good lime",
            "from day: 21.12.2024",
            "until day: 15.02.2025",
            "kind: bush",
            "nectar: 2",
            "pollen: 1",
        ]
        self.assertEqual(list(describe_bloom(self.blooms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bloom(self.blooms[0], self.blooms[1])
        wanted = ["code", "plant", "from_day", "until_day", "nectar", "pollen"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_bloom(self.blooms[0], self.blooms[0]), [])

    def test_from_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_bloom(ROWS[0] | {"from_day": "31.02.2025"})

    def test_until_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_bloom(ROWS[0] | {"until_day": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_bloom(ROWS[0] | {"kind": "unheard of"})

    def test_nectar_is_checked(self):
        with self.assertRaises(BadField):
            parse_bloom(ROWS[0] | {"nectar": "several"})

    def test_pollen_is_checked(self):
        with self.assertRaises(BadField):
            parse_bloom(ROWS[0] | {"pollen": "several"})

    def test_search_plant(self):
        found = lists.search_plant(self.blooms, "HEAVY")
        self.assertEqual([item.code for item in found], ["B0313"])

    def test_pick_from_day_between(self):
        first, last = date(2025, 2, 12), date(2025, 5, 7)
        found = lists.pick_from_day_between(self.blooms, first, last)
        self.assertEqual([item.code for item in found], ["B0313", "B0518"])

    def test_pick_until_day_between(self):
        first, last = date(2025, 3, 24), date(2025, 5, 25)
        found = lists.pick_until_day_between(self.blooms, first, last)
        self.assertEqual([item.code for item in found], ["B0313", "B0518"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.blooms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"bush": 3, "tree": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.blooms), [("bush", 3), ("tree", 1)])

    def test_mean_nectar(self):
        self.assertEqual(lists.mean_nectar(self.blooms), 0.8)
        self.assertIsNone(lists.mean_nectar([]))

    def test_at_least_nectar(self):
        found = lists.at_least_nectar(self.blooms, 1)
        self.assertEqual([item.code for item in found], ["B0203", "B0538"])

    def test_mean_pollen(self):
        self.assertEqual(lists.mean_pollen(self.blooms), 1.2)
        self.assertIsNone(lists.mean_pollen([]))

    def test_at_least_pollen(self):
        found = lists.at_least_pollen(self.blooms, 2)
        self.assertEqual([item.code for item in found], ["B0518", "B0538"])


if __name__ == "__main__":
    unittest.main()
