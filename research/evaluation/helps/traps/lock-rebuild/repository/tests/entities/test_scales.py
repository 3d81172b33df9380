import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import scales as lists
from depot.entities.scales import SCALES, changes_of_scale, describe_scale, format_scale, parse_scale

ROWS = [
    {"code": "W0113", "branch": "B1131", "checked": "2024-08-21", "most": "50", "error": "0.08", "sealed": "no"},
    {"code": "W0618", "branch": "B0139", "checked": "2025-03-29", "most": "55", "error": "0.38", "sealed": "no"},
    {"code": "W0647", "branch": "B0669", "checked": "2025-04-10", "most": "51", "error": "0.20", "sealed": "no"},
    {"code": "W0738", "branch": "B0963", "checked": "2025-05-13", "most": "51", "error": "0.26", "sealed": "yes"},
]


class ScaleTest(unittest.TestCase):
    def setUp(self):
        self.scales = [parse_scale(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_scale(item) for item in self.scales], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SCALES.read()), 225)
        self.assertEqual(SCALES.get("W0113"), self.scales[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0113",
            "branch: B1131",
            "checked: 21.08.2024",
            "most: 50",
            "error: 0.08",
        ]
        self.assertEqual(list(describe_scale(self.scales[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_scale(self.scales[0], self.scales[1])
        self.assertEqual([name for name, _, _ in found], ["code", "branch", "checked", "most", "error"])
        self.assertEqual(changes_of_scale(self.scales[0], self.scales[0]), [])

    def test_checked_is_checked(self):
        with self.assertRaises(BadField):
            parse_scale(ROWS[0] | {"checked": "31.02.2025"})

    def test_most_is_checked(self):
        with self.assertRaises(BadField):
            parse_scale(ROWS[0] | {"most": "several"})

    def test_error_is_checked(self):
        with self.assertRaises(BadField):
            parse_scale(ROWS[0] | {"error": "a lot"})

    def test_sealed_is_checked(self):
        with self.assertRaises(BadField):
            parse_scale(ROWS[0] | {"sealed": "perhaps"})

    def test_per_branch(self):
        groups = lists.per_branch(self.scales)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"B1131": 1, "B0139": 1, "B0669": 1, "B0963": 1})

    def test_select_checked_between(self):
        first, last = date(2025, 3, 29), date(2025, 4, 10)
        found = lists.select_checked_between(self.scales, first, last)
        self.assertEqual([item.code for item in found], ["W0618", "W0647"])

    def test_mean_most(self):
        self.assertEqual(lists.mean_most(self.scales), 51.8)
        self.assertIsNone(lists.mean_most([]))

    def test_at_least_most(self):
        found = lists.at_least_most(self.scales, 51)
        self.assertEqual([item.code for item in found], ["W0618", "W0647", "W0738"])

    def test_add_up_error(self):
        self.assertEqual(lists.add_up_error(self.scales), Decimal("0.92"))

    def test_largest_error(self):
        found = lists.largest_error(self.scales, 2)
        self.assertEqual([item.code for item in found], ["W0618", "W0738"])

    def test_select_sealed(self):
        found = lists.select_sealed(self.scales)
        self.assertEqual([item.code for item in found], ["W0738"])


if __name__ == "__main__":
    unittest.main()
