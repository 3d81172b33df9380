import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import coaches as lists
from house.model.coaches import COACHES, changes_of_coach, describe_coach, format_coach, parse_coach

ROWS = [
    {
        "code": "C0003",
        "company": "Old chart",
        "arrives": "2024-08-06",
        "seats": "46",
        "state": "missed",
        "fee": "28.53",
    },
    {
        "code": "C0453",
        "company": "Glass wheel",
        "arrives": "2025-03-06",
        "seats": "50",
        "state": "here",
        "fee": "11.48",
    },
    {
        "code": "C0823",
        "company": "Blue vessel",
        "arrives": "2025-08-18",
        "seats": "59",
        "state": "here",
        "fee": "29.06",
    },
    {
        "code": "C1047",
        "company": "Long tower",
        "arrives": "2025-11-11",
        "seats": "59",
        "state": "here",
        "fee": "14.42",
    },
]


class CoachTest(unittest.TestCase):
    def setUp(self):
        self.coaches = [parse_coach(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_coach(item) for item in self.coaches], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(COACHES.read()), 283)
        self.assertEqual(COACHES.get("C0003"), self.coaches[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0003",
            "company: Old chart",
            "arrives: 06.08.2024",
            "seats: 46",
            "state: missed",
            "fee: 28.53",
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
        found = lists.search_company(self.coaches, "GLASS")
        self.assertEqual([item.code for item in found], ["C0453"])

    def test_pick_arrives_between(self):
        first, last = date(2025, 3, 6), date(2025, 8, 18)
        found = lists.pick_arrives_between(self.coaches, first, last)
        self.assertEqual([item.code for item in found], ["C0453", "C0823"])

    def test_mean_seats(self):
        self.assertEqual(lists.mean_seats(self.coaches), 53.5)
        self.assertIsNone(lists.mean_seats([]))

    def test_at_least_seats(self):
        found = lists.at_least_seats(self.coaches, 59)
        self.assertEqual([item.code for item in found], ["C0823", "C1047"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.coaches)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"missed": 1, "here": 3})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.coaches), [("here", 3), ("missed", 1)])

    def test_sum_of_fee(self):
        self.assertEqual(lists.sum_of_fee(self.coaches), Decimal("83.49"))

    def test_fee_of_each_state(self):
        wanted = [("here", Decimal("54.96")), ("missed", Decimal("28.53"))]
        self.assertEqual(lists.fee_of_each_state(self.coaches), wanted)

    def test_dearest_fee(self):
        found = lists.dearest_fee(self.coaches, 2)
        self.assertEqual([item.code for item in found], ["C0823", "C0003"])


if __name__ == "__main__":
    unittest.main()
