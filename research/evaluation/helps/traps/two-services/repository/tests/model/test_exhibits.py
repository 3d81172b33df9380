import unittest
from datetime import date

from house.kit.fields import BadField
from house.queries import exhibits as lists
from house.model.exhibits import EXHIBITS, changes_of_exhibit, describe_exhibit, format_exhibit, parse_exhibit

ROWS = [
    {
        "code": "E0161",
        "title": "Upper workshop",
        "hall": "maps",
        "since": "2024-10-16",
        "cases": "3",
        "loaned": "no",
        "remark": "",
    },
    {
        "code": "E0317",
        "title": "Blue pier 9",
        "hall": "maps",
        "since": "2024-12-30",
        "cases": "5",
        "loaned": "no",
        "remark": "moved from spring",
    },
    {
        "code": "E0371",
        "title": "Blue anchor",
        "hall": "clocks",
        "since": "2025-01-14",
        "cases": "2",
        "loaned": "no",
        "remark": "pays at the desk",
    },
    {
        "code": "E0402",
        "title": "River garden",
        "hall": "gems",
        "since": "2025-01-23",
        "cases": "3",
        "loaned": "yes",
        "remark": "",
    },
]


class ExhibitTest(unittest.TestCase):
    def setUp(self):
        self.exhibits = [parse_exhibit(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_exhibit(item) for item in self.exhibits], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(EXHIBITS.read()), 205)
        self.assertEqual(EXHIBITS.get("E0161"), self.exhibits[0])

    def test_it_is_described(self):
        wanted = [
            "code: E0161",
            "title: Upper workshop",
            "hall: maps",
            "since: 16.10.2024",
            "cases: 3",
        ]
        self.assertEqual(list(describe_exhibit(self.exhibits[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_exhibit(self.exhibits[0], self.exhibits[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "cases", "remark"])
        self.assertEqual(changes_of_exhibit(self.exhibits[0], self.exhibits[0]), [])

    def test_hall_is_checked(self):
        with self.assertRaises(BadField):
            parse_exhibit(ROWS[0] | {"hall": "unheard of"})

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_exhibit(ROWS[0] | {"since": "31.02.2025"})

    def test_cases_is_checked(self):
        with self.assertRaises(BadField):
            parse_exhibit(ROWS[0] | {"cases": "several"})

    def test_loaned_is_checked(self):
        with self.assertRaises(BadField):
            parse_exhibit(ROWS[0] | {"loaned": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.exhibits, "BLUE")
        self.assertEqual([item.code for item in found], ["E0317", "E0371"])

    def test_group_by_hall(self):
        groups = lists.group_by_hall(self.exhibits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"maps": 2, "clocks": 1, "gems": 1})

    def test_count_halls(self):
        self.assertEqual(lists.count_halls(self.exhibits), [("maps", 2), ("clocks", 1), ("gems", 1)])

    def test_pick_since_between(self):
        first, last = date(2024, 12, 30), date(2025, 1, 14)
        found = lists.pick_since_between(self.exhibits, first, last)
        self.assertEqual([item.code for item in found], ["E0317", "E0371"])

    def test_mean_cases(self):
        self.assertEqual(lists.mean_cases(self.exhibits), 3.2)
        self.assertIsNone(lists.mean_cases([]))

    def test_at_least_cases(self):
        found = lists.at_least_cases(self.exhibits, 3)
        self.assertEqual([item.code for item in found], ["E0161", "E0317", "E0402"])

    def test_pick_loaned(self):
        found = lists.pick_loaned(self.exhibits)
        self.assertEqual([item.code for item in found], ["E0402"])


if __name__ == "__main__":
    unittest.main()
