import unittest
from datetime import date

from office.kit.fields import BadField
from office.lists import absences as lists
from office.records.absences import ABSENCES, changes_of_absence, describe_absence, format_absence, parse_absence

ROWS = [
    {"code": "A0069", "first": "2024-07-17", "last": "2024-08-18", "why": "holiday", "half": "no"},
    {"code": "A0527", "first": "2025-01-04", "last": "2025-02-15", "why": "other", "half": "yes"},
    {"code": "A0827", "first": "2025-06-07", "last": "2025-07-14", "why": "holiday", "half": "no"},
    {"code": "A1249", "first": "2025-11-24", "last": "2025-12-02", "why": "ill", "half": "yes"},
]


class AbsenceTest(unittest.TestCase):
    def setUp(self):
        self.absences = [parse_absence(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_absence(item) for item in self.absences], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ABSENCES.read()), 326)
        self.assertEqual(ABSENCES.get("A0069"), self.absences[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0069",
            "first: 17.07.2024",
            "last: 18.08.2024",
            "why: holiday",
        ]
        self.assertEqual(list(describe_absence(self.absences[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_absence(self.absences[0], self.absences[1])
        self.assertEqual([name for name, _, _ in found], ["code", "first", "last", "why", "half"])
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
        first, last = date(2025, 1, 4), date(2025, 6, 7)
        found = lists.find_first_between(self.absences, first, last)
        self.assertEqual([item.code for item in found], ["A0527", "A0827"])

    def test_find_last_between(self):
        first, last = date(2025, 2, 15), date(2025, 7, 14)
        found = lists.find_last_between(self.absences, first, last)
        self.assertEqual([item.code for item in found], ["A0527", "A0827"])

    def test_by_why(self):
        groups = lists.by_why(self.absences)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"holiday": 2, "other": 1, "ill": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.absences), [("holiday", 2), ("ill", 1), ("other", 1)])

    def test_find_half(self):
        found = lists.find_half(self.absences)
        self.assertEqual([item.code for item in found], ["A0527", "A1249"])


if __name__ == "__main__":
    unittest.main()
