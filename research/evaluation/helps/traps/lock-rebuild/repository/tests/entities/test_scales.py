import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import scales as lists
from depot.entities.scales import SCALES, format_scale, parse_scale

ROWS = [
    {"code": "W0057", "branch": "B0271", "checked": "2024-09-22", "most": "40", "error": "0.33", "sealed": "yes"},
    {"code": "W0609", "branch": "B0121", "checked": "2025-05-16", "most": "56", "error": "0.37", "sealed": "no"},
    {"code": "W0942", "branch": "B0701", "checked": "2025-10-02", "most": "33", "error": "0.03", "sealed": "no"},
    {"code": "W0985", "branch": "B0631", "checked": "2025-10-23", "most": "60", "error": "0.25", "sealed": "yes"},
]


class ScaleTest(unittest.TestCase):
    def setUp(self):
        self.scales = [parse_scale(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_scale(item) for item in self.scales], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SCALES.read()), 271)
        self.assertEqual(SCALES.get("W0057"), self.scales[0])

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
        self.assertEqual(sizes, {"B0271": 1, "B0121": 1, "B0701": 1, "B0631": 1})

    def test_select_checked_between(self):
        first, last = date(2025, 5, 16), date(2025, 10, 2)
        self.assertEqual([item.code for item in lists.select_checked_between(self.scales, first, last)], ["W0609", "W0942"])

    def test_mean_most(self):
        self.assertEqual(lists.mean_most(self.scales), 47.2)
        self.assertIsNone(lists.mean_most([]))

    def test_at_least_most(self):
        self.assertEqual([item.code for item in lists.at_least_most(self.scales, 56)], ["W0609", "W0985"])

    def test_add_up_error(self):
        self.assertEqual(lists.add_up_error(self.scales), Decimal("0.98"))

    def test_largest_error(self):
        self.assertEqual([item.code for item in lists.largest_error(self.scales, 2)], ["W0609", "W0057"])

    def test_select_sealed(self):
        self.assertEqual([item.code for item in lists.select_sealed(self.scales)], ["W0057", "W0985"])


if __name__ == "__main__":
    unittest.main()
