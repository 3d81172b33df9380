import unittest
from datetime import date

from sales.kit.fields import BadField
from sales.summaries import customers as lists
from sales.entities.customers import CUSTOMERS, changes_of_customer, describe_customer, format_customer, parse_customer

ROWS = [
    {
        "code": "C0043",
        "place": "Harbour club",
        "since": "2024-10-19",
        "kind": "deli",
        "visits": "255",
        "blocked": "no",
    },
    {
        "code": "C0317",
        "place": "Harbour bridge",
        "since": "2025-02-19",
        "kind": "club",
        "visits": "35",
        "blocked": "yes",
    },
    {
        "code": "C0321",
        "place": "Garden square",
        "since": "2025-02-20",
        "kind": "deli",
        "visits": "140",
        "blocked": "yes",
    },
    {
        "code": "C0473",
        "place": "Mill hall",
        "since": "2025-04-24",
        "kind": "school",
        "visits": "18",
        "blocked": "yes",
    },
]


class CustomerTest(unittest.TestCase):
    def setUp(self):
        self.customers = [parse_customer(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_customer(item) for item in self.customers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CUSTOMERS.read()), 199)
        self.assertEqual(CUSTOMERS.get("C0043"), self.customers[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0043",
            "place: Harbour club",
            "since: 19.10.2024",
            "kind: deli",
            "visits: 255",
        ]
        self.assertEqual(list(describe_customer(self.customers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_customer(self.customers[0], self.customers[1])
        wanted = ["code", "place", "since", "kind", "visits", "blocked"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_customer(self.customers[0], self.customers[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_customer(ROWS[0] | {"since": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_customer(ROWS[0] | {"kind": "unheard of"})

    def test_visits_is_checked(self):
        with self.assertRaises(BadField):
            parse_customer(ROWS[0] | {"visits": "several"})

    def test_blocked_is_checked(self):
        with self.assertRaises(BadField):
            parse_customer(ROWS[0] | {"blocked": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.customers, "HARBOUR")
        self.assertEqual([item.code for item in found], ["C0043", "C0317"])

    def test_select_since_between(self):
        first, last = date(2025, 2, 19), date(2025, 2, 20)
        found = lists.select_since_between(self.customers, first, last)
        self.assertEqual([item.code for item in found], ["C0317", "C0321"])

    def test_per_kind(self):
        groups = lists.per_kind(self.customers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"deli": 2, "club": 1, "school": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.customers), [("deli", 2), ("club", 1), ("school", 1)])

    def test_mean_visits(self):
        self.assertEqual(lists.mean_visits(self.customers), 112.0)
        self.assertIsNone(lists.mean_visits([]))

    def test_at_least_visits(self):
        found = lists.at_least_visits(self.customers, 140)
        self.assertEqual([item.code for item in found], ["C0043", "C0321"])

    def test_select_blocked(self):
        found = lists.select_blocked(self.customers)
        self.assertEqual([item.code for item in found], ["C0317", "C0321", "C0473"])


if __name__ == "__main__":
    unittest.main()
