import unittest
from decimal import Decimal

from meters.reading import Reading
from meters.reports import count, extremes, gaps, totals

READINGS = [
    Reading("mill", 1774570000, Decimal("10.5")),
    Reading("library", 1774570100, Decimal("2.0")),
    Reading("mill", 1774573700, Decimal("4.5")),
    Reading("library", 1774573600, Decimal("3.0")),
    Reading("mill", 1774577000, Decimal("5.0")),
]


class ReportsTest(unittest.TestCase):
    def test_reports(self):
        wanted = {
            count: ["library,2", "mill,3"],
            extremes: ["library,2.0,3.0", "mill,4.5,10.5"],
            gaps: ["library,3500", "mill,3700"],
            totals: ["library,5.0,1.07", "mill,20.0,3.97"],
        }
        for report, lines in wanted.items():
            with self.subTest(report.__name__):
                self.assertEqual(list(report.lines(READINGS)), lines)
