import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import queens as lists
from apiary.model.queens import QUEENS, changes_of_queen, describe_queen, format_queen, parse_queen

ROWS = [
    {"code": "Q0131", "hive": "H0267", "hatched": "2024-12-02", "year": "white", "marked": "no", "cells": "12"},
    {"code": "Q0661", "hive": "H0699", "hatched": "2025-06-25", "year": "white", "marked": "no", "cells": "2"},
    {"code": "Q0731", "hive": "H0145", "hatched": "2025-07-18", "year": "blue", "marked": "no", "cells": "4"},
    {"code": "Q0890", "hive": "H0491", "hatched": "2025-09-25", "year": "yellow", "marked": "no", "cells": "4"},
]


class QueenTest(unittest.TestCase):
    def setUp(self):
        self.queens = [parse_queen(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_queen(item) for item in self.queens], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(QUEENS.read()), 239)
        self.assertEqual(QUEENS.get("Q0131"), self.queens[0])

    def test_it_is_described(self):
        wanted = [
            "code: Q0131",
            "hive: H0267",
            "hatched: 02.12.2024",
            "year: white",
            "cells: 12",
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
        self.assertEqual(sizes, {"H0267": 1, "H0699": 1, "H0145": 1, "H0491": 1})

    def test_pick_hatched_between(self):
        first, last = date(2025, 6, 25), date(2025, 7, 18)
        found = lists.pick_hatched_between(self.queens, first, last)
        self.assertEqual([item.code for item in found], ["Q0661", "Q0731"])

    def test_group_by_year(self):
        groups = lists.group_by_year(self.queens)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"white": 2, "blue": 1, "yellow": 1})

    def test_count_years(self):
        self.assertEqual(lists.count_years(self.queens), [("white", 2), ("blue", 1), ("yellow", 1)])

    def test_pick_marked(self):
        found = lists.pick_marked(self.queens)
        self.assertEqual([item.code for item in found], [])

    def test_mean_cells(self):
        self.assertEqual(lists.mean_cells(self.queens), 5.5)
        self.assertIsNone(lists.mean_cells([]))

    def test_at_least_cells(self):
        found = lists.at_least_cells(self.queens, 4)
        self.assertEqual([item.code for item in found], ["Q0131", "Q0731", "Q0890"])


if __name__ == "__main__":
    unittest.main()
