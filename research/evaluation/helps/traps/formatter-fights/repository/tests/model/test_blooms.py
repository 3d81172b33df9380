import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import blooms as lists
from apiary.model.blooms import BLOOMS, changes_of_bloom, describe_bloom, format_bloom, parse_bloom

ROWS = [
    {
        "code": "B0038",
        "plant": "East willow",
        "from_day": "2024-09-30",
        "until_day": "2024-10-26",
        "kind": "bush",
        "nectar": "2",
        "pollen": "4",
    },
    {
        "code": "B0275",
        "plant": "South bank",
        "from_day": "2025-01-16",
        "until_day": "2025-01-20",
        "kind": "herb",
        "nectar": "0",
        "pollen": "4",
    },
    {
        "code": "B0291",
        "plant": "South willow",
        "from_day": "2025-01-27",
        "until_day": "2025-02-02",
        "kind": "herb",
        "nectar": "4",
        "pollen": "0",
    },
    {
        "code": "B0442",
        "plant": "Shady garden",
        "from_day": "2025-04-08",
        "until_day": "2025-05-05",
        "kind": "herb",
        "nectar": "4",
        "pollen": "0",
    },
]


class BloomTest(unittest.TestCase):
    def setUp(self):
        self.blooms = [parse_bloom(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bloom(item) for item in self.blooms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BLOOMS.read()), 170)
        self.assertEqual(BLOOMS.get("B0038"), self.blooms[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0038",
            "plant: East willow",
            "from day: 30.09.2024",
            "until day: 26.10.2024",
            "kind: bush",
            "nectar: 2",
            "pollen: 4",
        ]
        self.assertEqual(list(describe_bloom(self.blooms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bloom(self.blooms[0], self.blooms[1])
        wanted = ["code", "plant", "from_day", "until_day", "kind", "nectar"]
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
        found = lists.search_plant(self.blooms, "SOUTH")
        self.assertEqual([item.code for item in found], ["B0275", "B0291"])

    def test_pick_from_day_between(self):
        first, last = date(2025, 1, 16), date(2025, 1, 27)
        found = lists.pick_from_day_between(self.blooms, first, last)
        self.assertEqual([item.code for item in found], ["B0275", "B0291"])

    def test_pick_until_day_between(self):
        first, last = date(2025, 1, 20), date(2025, 2, 2)
        found = lists.pick_until_day_between(self.blooms, first, last)
        self.assertEqual([item.code for item in found], ["B0275", "B0291"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.blooms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"bush": 1, "herb": 3})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.blooms), [("herb", 3), ("bush", 1)])

    def test_mean_nectar(self):
        self.assertEqual(lists.mean_nectar(self.blooms), 2.5)
        self.assertIsNone(lists.mean_nectar([]))

    def test_at_least_nectar(self):
        found = lists.at_least_nectar(self.blooms, 4)
        self.assertEqual([item.code for item in found], ["B0291", "B0442"])

    def test_mean_pollen(self):
        self.assertEqual(lists.mean_pollen(self.blooms), 2.0)
        self.assertIsNone(lists.mean_pollen([]))

    def test_at_least_pollen(self):
        found = lists.at_least_pollen(self.blooms, 4)
        self.assertEqual([item.code for item in found], ["B0038", "B0275"])


if __name__ == "__main__":
    unittest.main()
