import unittest
from datetime import date

from depot.kit.fields import BadField
from depot.summaries import branches as lists
from depot.entities.branches import BRANCHES, format_branch, parse_branch

ROWS = [
    {"code": "B0201", "town": "Early market", "since": "2024-11-04", "scales": "2", "kind": "shop", "parcels": "1957", "closed": "no"},
    {"code": "B0577", "town": "Round market 3", "since": "2025-04-07", "scales": "2", "kind": "kiosk", "parcels": "8201", "closed": "no"},
    {"code": "B0814", "town": "Red valley", "since": "2025-07-30", "scales": "6", "kind": "shop", "parcels": "4734", "closed": "no"},
    {"code": "B1103", "town": "Inner tower 8", "since": "2025-11-13", "scales": "6", "kind": "kiosk", "parcels": "2191", "closed": "no"},
]


class BranchTest(unittest.TestCase):
    def setUp(self):
        self.branches = [parse_branch(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_branch(item) for item in self.branches], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BRANCHES.read()), 279)
        self.assertEqual(BRANCHES.get("B0201"), self.branches[0])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_branch(ROWS[0] | {"since": "31.02.2025"})

    def test_scales_is_checked(self):
        with self.assertRaises(BadField):
            parse_branch(ROWS[0] | {"scales": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_branch(ROWS[0] | {"kind": "unheard of"})

    def test_parcels_is_checked(self):
        with self.assertRaises(BadField):
            parse_branch(ROWS[0] | {"parcels": "several"})

    def test_closed_is_checked(self):
        with self.assertRaises(BadField):
            parse_branch(ROWS[0] | {"closed": "perhaps"})

    def test_search_town(self):
        self.assertEqual([item.code for item in lists.search_town(self.branches, "ROUND")], ["B0577"])

    def test_select_since_between(self):
        first, last = date(2025, 4, 7), date(2025, 7, 30)
        self.assertEqual([item.code for item in lists.select_since_between(self.branches, first, last)], ["B0577", "B0814"])

    def test_mean_scales(self):
        self.assertEqual(lists.mean_scales(self.branches), 4.0)
        self.assertIsNone(lists.mean_scales([]))

    def test_at_least_scales(self):
        self.assertEqual([item.code for item in lists.at_least_scales(self.branches, 6)], ["B0814", "B1103"])

    def test_per_kind(self):
        groups = lists.per_kind(self.branches)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shop": 2, "kiosk": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.branches), [("kiosk", 2), ("shop", 2)])

    def test_mean_parcels(self):
        self.assertEqual(lists.mean_parcels(self.branches), 4270.8)
        self.assertIsNone(lists.mean_parcels([]))

    def test_at_least_parcels(self):
        self.assertEqual([item.code for item in lists.at_least_parcels(self.branches, 4734)], ["B0577", "B0814"])

    def test_select_closed(self):
        self.assertEqual([item.code for item in lists.select_closed(self.branches)], [])


if __name__ == "__main__":
    unittest.main()
