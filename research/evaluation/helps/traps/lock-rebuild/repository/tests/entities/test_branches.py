import unittest
from datetime import date

from depot.kit.fields import BadField
from depot.summaries import branches as lists
from depot.entities.branches import BRANCHES, changes_of_branch, describe_branch, format_branch, parse_branch

ROWS = [
    {
        "code": "B0038",
        "town": "West station",
        "since": "2024-09-04",
        "scales": "3",
        "kind": "shop",
        "parcels": "3815",
        "closed": "no",
    },
    {
        "code": "B0349",
        "town": "New harbour",
        "since": "2025-01-09",
        "scales": "3",
        "kind": "kiosk",
        "parcels": "1844",
        "closed": "yes",
    },
    {
        "code": "B0453",
        "town": "Blue mill",
        "since": "2025-02-20",
        "scales": "2",
        "kind": "shop",
        "parcels": "3655",
        "closed": "no",
    },
    {
        "code": "B0730",
        "town": "Long hall",
        "since": "2025-06-22",
        "scales": "5",
        "kind": "kiosk",
        "parcels": "6795",
        "closed": "yes",
    },
]


class BranchTest(unittest.TestCase):
    def setUp(self):
        self.branches = [parse_branch(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_branch(item) for item in self.branches], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BRANCHES.read()), 299)
        self.assertEqual(BRANCHES.get("B0038"), self.branches[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0038",
            "town: West station",
            "since: 04.09.2024",
            "scales: 3",
            "kind: shop",
            "parcels: 3815",
        ]
        self.assertEqual(list(describe_branch(self.branches[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_branch(self.branches[0], self.branches[1])
        self.assertEqual([name for name, _, _ in found], ["code", "town", "since", "kind", "parcels", "closed"])
        self.assertEqual(changes_of_branch(self.branches[0], self.branches[0]), [])

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
        found = lists.search_town(self.branches, "NEW")
        self.assertEqual([item.code for item in found], ["B0349"])

    def test_select_since_between(self):
        first, last = date(2025, 1, 9), date(2025, 2, 20)
        found = lists.select_since_between(self.branches, first, last)
        self.assertEqual([item.code for item in found], ["B0349", "B0453"])

    def test_mean_scales(self):
        self.assertEqual(lists.mean_scales(self.branches), 3.2)
        self.assertIsNone(lists.mean_scales([]))

    def test_at_least_scales(self):
        found = lists.at_least_scales(self.branches, 3)
        self.assertEqual([item.code for item in found], ["B0038", "B0349", "B0730"])

    def test_per_kind(self):
        groups = lists.per_kind(self.branches)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shop": 2, "kiosk": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.branches), [("kiosk", 2), ("shop", 2)])

    def test_mean_parcels(self):
        self.assertEqual(lists.mean_parcels(self.branches), 4027.2)
        self.assertIsNone(lists.mean_parcels([]))

    def test_at_least_parcels(self):
        found = lists.at_least_parcels(self.branches, 3815)
        self.assertEqual([item.code for item in found], ["B0038", "B0730"])

    def test_select_closed(self):
        found = lists.select_closed(self.branches)
        self.assertEqual([item.code for item in found], ["B0349", "B0730"])


if __name__ == "__main__":
    unittest.main()
