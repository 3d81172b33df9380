import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import queens as lists
from apiary.model.queens import QUEENS, changes_of_queen, describe_queen, format_queen, parse_queen

ROWS = [
    {"code": "Q0101", "hive": "H0578", "hatched": "2024-11-26", "year": "red", "marked": "no", "cells": "7"},
    {"code": "Q0174", "hive": "H0107", "hatched": "2024-12-23", "year": "red", "marked": "no", "cells": "11"},
    {"code": "Q0179", "hive": "H0151", "hatched": "2024-12-23", "year": "green", "marked": "yes", "cells": "5"},
    {"code": "Q0270", "hive": "H0473", "hatched": "2025-01-27", "year": "green", "marked": "yes", "cells": "10"},
]


class QueenTest(unittest.TestCase):
    def setUp(self):
        self.queens = [parse_queen(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_queen(item) for item in self.queens], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(QUEENS.read()), 239)
        self.assertEqual(QUEENS.get("Q0101"), self.queens[0])

    def test_it_is_described(self):
        wanted = [
            "code: Q0101",
            "hive: H0578",
            "hatched: 26.11.2024",
            "year: red",
            "cells: 7",
        ]
        self.assertEqual(list(describe_queen(self.queens[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_queen(self.queens[0], self.queens[1])
        self.assertEqual([name for name, _, _ in found], ["code", "hive", "hatched", "cells"])
        self.assertEqual(changes_of_queen(self.queens[0], self.queens[0]), [])

    def test_hatched_is_checked(self):
        with self.assertRaises(BadField):
            parse_queen(ROWS[0] | {"hatched": "31.02.2025"})

    def test_year_is_checked(self):
        with self.assertRaises(BadField):
            parse_queen(ROWS[0] | {"year": "unheard of"})

    def test_marked_is_checked(self):
        with self.assertRaises(BadField):
            parse_queen(ROWS[0] | {"marked": "perhaps"})

    def test_cells_is_checked(self):
        with self.assertRaises(BadField):
            parse_queen(ROWS[0] | {"cells": "several"})

    def test_group_by_hive(self):
        groups = lists.group_by_hive(self.queens)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0578": 1, "H0107": 1, "H0151": 1, "H0473": 1})

    def test_pick_hatched_between(self):
        first, last = date(2024, 12, 23), date(2024, 12, 23)
        found = lists.pick_hatched_between(self.queens, first, last)
        self.assertEqual([item.code for item in found], ["Q0174", "Q0179"])

    def test_group_by_year(self):
        groups = lists.group_by_year(self.queens)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"red": 2, "green": 2})

    def test_count_years(self):
        self.assertEqual(lists.count_years(self.queens), [("green", 2), ("red", 2)])

    def test_pick_marked(self):
        found = lists.pick_marked(self.queens)
        self.assertEqual([item.code for item in found], ["Q0179", "Q0270"])

    def test_mean_cells(self):
        self.assertEqual(lists.mean_cells(self.queens), 8.2)
        self.assertIsNone(lists.mean_cells([]))

    def test_at_least_cells(self):
        found = lists.at_least_cells(self.queens, 10)
        self.assertEqual([item.code for item in found], ["Q0174", "Q0270"])


if __name__ == "__main__":
    unittest.main()
