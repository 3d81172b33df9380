import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import coaches as lists
from house.model.coaches import COACHES, changes_of_coach, describe_coach, format_coach, parse_coach

ROWS = [
    {
        "code": "C0471",
        "company": "Round model",
        "arrives": "2025-03-09",
        "seats": "21",
        "state": "missed",
        "fee": "11.77",
    },
    {
        "code": "C0543",
        "company": "Quiet compass",
        "arrives": "2025-04-25",
        "seats": "60",
        "state": "booked",
        "fee": "16.13",
    },
    {
        "code": "C0669",
        "company": "Painted bell",
        "arrives": "2025-06-12",
        "seats": "31",
        "state": "booked",
        "fee": "28.03",
    },
    {
        "code": "C0930",
        "company": "Lower globe 3",
        "arrives": "2025-09-16",
        "seats": "60",
        "state": "missed",
        "fee": "25.12",
    },
]


class CoachTest(unittest.TestCase):
    def setUp(self):
        self.coaches = [parse_coach(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_coach(item) for item in self.coaches], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(COACHES.read()), 283)
        self.assertEqual(COACHES.get("C0471"), self.coaches[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0471",
            "company: Round model",
            "arrives: 09.03.2025",
            "seats: 21",
            "state: missed",
            "fee: 11.77",
        ]
        self.assertEqual(list(describe_coach(self.coaches[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_coach(self.coaches[0], self.coaches[1])
        wanted = ["code", "company", "arrives", "seats", "state", "fee"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_coach(self.coaches[0], self.coaches[0]), [])

    def test_arrives_is_checked(self):
        with self.assertRaises(BadField):
            parse_coach(ROWS[0] | {"arrives": "31.02.2025"})

    def test_seats_is_checked(self):
        with self.assertRaises(BadField):
            parse_coach(ROWS[0] | {"seats": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_coach(ROWS[0] | {"state": "unheard of"})

    def test_fee_is_checked(self):
        with self.assertRaises(BadField):
            parse_coach(ROWS[0] | {"fee": "a lot"})

    def test_search_company(self):
        found = lists.search_company(self.coaches, "QUIET")
        self.assertEqual([item.code for item in found], ["C0543"])

    def test_pick_arrives_between(self):
        first, last = date(2025, 4, 25), date(2025, 6, 12)
        found = lists.pick_arrives_between(self.coaches, first, last)
        self.assertEqual([item.code for item in found], ["C0543", "C0669"])

    def test_mean_seats(self):
        self.assertEqual(lists.mean_seats(self.coaches), 43.0)
        self.assertIsNone(lists.mean_seats([]))

    def test_at_least_seats(self):
        found = lists.at_least_seats(self.coaches, 60)
        self.assertEqual([item.code for item in found], ["C0543", "C0930"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.coaches)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"missed": 2, "booked": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.coaches), [("booked", 2), ("missed", 2)])

    def test_sum_of_fee(self):
        self.assertEqual(lists.sum_of_fee(self.coaches), Decimal("81.05"))

    def test_fee_of_each_state(self):
        wanted = [("booked", Decimal("44.16")), ("missed", Decimal("36.89"))]
        self.assertEqual(lists.fee_of_each_state(self.coaches), wanted)

    def test_dearest_fee(self):
        found = lists.dearest_fee(self.coaches, 2)
        self.assertEqual([item.code for item in found], ["C0669", "C0930"])


if __name__ == "__main__":
    unittest.main()
