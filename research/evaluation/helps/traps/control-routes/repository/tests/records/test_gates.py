import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import gates as lists
from rangers.records.gates import GATES, changes_of_gate, describe_gate, format_gate, parse_gate

ROWS = [
    {
        "code": "A0069",
        "place": "East clearing gate",
        "opened": "2024-02-09",
        "hours": "13.65",
        "kind": "side",
        "locked": "no",
    },
    {
        "code": "A0181",
        "place": "High spring gate",
        "opened": "2024-04-05",
        "hours": "11.56",
        "kind": "cart",
        "locked": "no",
    },
    {
        "code": "A0369",
        "place": "Stony bridge gate",
        "opened": "2024-07-05",
        "hours": "12.20",
        "kind": "side",
        "locked": "no",
    },
    {
        "code": "A0777",
        "place": "Shady lake gate 4",
        "opened": "2024-12-25",
        "hours": "12.53",
        "kind": "side",
        "locked": "yes",
    },
]


class GateTest(unittest.TestCase):
    def setUp(self):
        self.gates = [parse_gate(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_gate(item) for item in self.gates], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GATES.read()), 248)
        self.assertEqual(GATES.get("A0069"), self.gates[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0069",
            "place: East clearing gate",
            "opened: 09.02.2024",
            "hours: 13.65",
            "kind: side",
        ]
        self.assertEqual(list(describe_gate(self.gates[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_gate(self.gates[0], self.gates[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "opened", "hours", "kind"])
        self.assertEqual(changes_of_gate(self.gates[0], self.gates[0]), [])

    def test_opened_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"opened": "31.02.2025"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"hours": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"kind": "unheard of"})

    def test_locked_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"locked": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.gates, "HIGH")
        self.assertEqual([item.code for item in found], ["A0181"])

    def test_find_opened_between(self):
        first, last = date(2024, 4, 5), date(2024, 7, 5)
        found = lists.find_opened_between(self.gates, first, last)
        self.assertEqual([item.code for item in found], ["A0181", "A0369"])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.gates), Decimal("49.94"))

    def test_hours_of_each_kind(self):
        wanted = [("side", Decimal("38.38")), ("cart", Decimal("11.56"))]
        self.assertEqual(lists.hours_of_each_kind(self.gates), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.gates, 2)
        self.assertEqual([item.code for item in found], ["A0069", "A0777"])

    def test_by_kind(self):
        groups = lists.by_kind(self.gates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"side": 3, "cart": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.gates), [("side", 3), ("cart", 1)])

    def test_find_locked(self):
        found = lists.find_locked(self.gates)
        self.assertEqual([item.code for item in found], ["A0777"])


if __name__ == "__main__":
    unittest.main()
