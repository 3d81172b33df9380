import unittest
from datetime import date

from office.kit.fields import BadField
from office.lists import absences as lists
from office.records.absences import ABSENCES, changes_of_absence, describe_absence, format_absence, parse_absence

ROWS = [
    {"code": "A0042", "first": "2024-11-09", "last": "2024-11-21", "why": "holiday", "half": "no"},
    {"code": "A0589", "first": "2025-06-19", "last": "2025-06-22", "why": "other", "half": "no"},
    {"code": "A0730", "first": "2025-08-22", "last": "2025-09-07", "why": "holiday", "half": "no"},
    {"code": "A1118", "first": "2026-03-09", "last": "2026-04-06", "why": "holiday", "half": "yes"},
]


class AbsenceTest(unittest.TestCase):
    def setUp(self):
        self.absences = [parse_absence(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_absence(item) for item in self.absences], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ABSENCES.read()), 287)
        self.assertEqual(ABSENCES.get("A0042"), self.absences[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0042",
            "first: 09.11.2024",
            "last: 21.11.2024",
            "why: holiday",
        ]
        self.assertEqual(list(describe_absence(self.absences[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_absence(self.absences[0], self.absences[1])
        self.assertEqual([name for name, _, _ in found], ["code", "first", "last", "why"])
        self.assertEqual(changes_of_absence(self.absences[0], self.absences[0]), [])

    def test_first_is_checked(self):
        with self.assertRaises(BadField):
            parse_absence(ROWS[0] | {"first": "31.02.2025"})

    def test_last_is_checked(self):
        with self.assertRaises(BadField):
            parse_absence(ROWS[0] | {"last": "31.02.2025"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_absence(ROWS[0] | {"why": "unheard of"})

    def test_half_is_checked(self):
        with self.assertRaises(BadField):
            parse_absence(ROWS[0] | {"half": "perhaps"})

    def test_find_first_between(self):
        first, last = date(2025, 6, 19), date(2025, 8, 22)
        found = lists.find_first_between(self.absences, first, last)
        self.assertEqual([item.code for item in found], ["A0589", "A0730"])

    def test_find_last_between(self):
        first, last = date(2025, 6, 22), date(2025, 9, 7)
        found = lists.find_last_between(self.absences, first, last)
        self.assertEqual([item.code for item in found], ["A0589", "A0730"])

    def test_by_why(self):
        groups = lists.by_why(self.absences)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"holiday": 3, "other": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.absences), [("holiday", 3), ("other", 1)])

    def test_find_half(self):
        found = lists.find_half(self.absences)
        self.assertEqual([item.code for item in found], ["A1118"])


if __name__ == "__main__":
    unittest.main()
