import unittest

from worklog import format_duration, parse_duration, round_down, round_up


class DurationsTest(unittest.TestCase):
    def test_one_unit(self):
        self.assertEqual([parse_duration(text) for text in ("45m", "2h", "1d")], [45, 120, 480])

    def test_several_units(self):
        self.assertEqual(parse_duration("1d 2h 5m"), 605)

    def test_nonsense_is_refused(self):
        for text in ("", "h", "2x", "2 h", "1d,2h"):
            with self.subTest(text), self.assertRaises(ValueError):
                parse_duration(text)

    def test_largest_unit_first(self):
        self.assertEqual([format_duration(minutes) for minutes in (605, 0, 960)], ["1d 2h 5m", "0m", "2d"])

    def test_rounding(self):
        self.assertEqual([round_down(44), round_up(44), round_up(45)], [30, 45, 45])
