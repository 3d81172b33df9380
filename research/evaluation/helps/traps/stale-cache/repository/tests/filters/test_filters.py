import unittest

from filters import dates, measures, money, numbers, typography


class FiltersTest(unittest.TestCase):
    def test_times(self):
        self.assertEqual(dates.clock("19.30"), "19:30")
        self.assertEqual(dates.clock("9"), "9:00")
        self.assertEqual(dates.month("2026-02-11"), "February")

    def test_measures(self):
        self.assertEqual(measures.far("2.4"), "2.4 km (31 minutes on foot)")
        self.assertEqual(measures.metres("4"), "<span>4 m</span>")

    def test_money(self):
        self.assertEqual(money.money("12"), "12.00 €")
        self.assertEqual(money.free("0"), "free")

    def test_numbers(self):
        self.assertEqual(numbers.round_number("347"), "350")
        self.assertEqual([numbers.ordinal(n) for n in ("1", "2", "11", "23")], ["1st", "2nd", "11th", "23rd"])

    def test_typography(self):
        self.assertEqual(typography.quiet("a"), "<small>a</small>")
        self.assertEqual(typography.initials("reading room"), "R.R.")
