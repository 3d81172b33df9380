import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import benches as lists
from rangers.records.benches import BENCHES, changes_of_bench, describe_bench, format_bench, parse_bench

ROWS = [
    {
        "code": "B0065",
        "place": "Mossy tower",
        "painted": "2024-02-26",
        "seats": "3",
        "wood": "oak",
        "broken": "no",
        "remark": "after rain",
    },
    {
        "code": "B0091",
        "place": "Round ridge",
        "painted": "2024-03-03",
        "seats": "4",
        "wood": "oak",
        "broken": "no",
        "remark": "to be cut",
    },
    {
        "code": "B0330",
        "place": "Quiet bank",
        "painted": "2024-06-05",
        "seats": "5",
        "wood": "oak",
        "broken": "no",
        "remark": "two boards loose",
    },
    {
        "code": "B1019",
        "place": "Round hollow 7",
        "painted": "2025-04-03",
        "seats": "2",
        "wood": "oak",
        "broken": "no",
        "remark": "as in autumn",
    },
]


class BenchTest(unittest.TestCase):
    def setUp(self):
        self.benches = [parse_bench(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bench(item) for item in self.benches], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BENCHES.read()), 275)
        self.assertEqual(BENCHES.get("B0065"), self.benches[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0065",
            "place: Mossy tower",
            "painted: 26.02.2024",
            "seats: 3",
            "wood: oak",
            "remark: after rain",
        ]
        self.assertEqual(list(describe_bench(self.benches[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bench(self.benches[0], self.benches[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "painted", "seats", "remark"])
        self.assertEqual(changes_of_bench(self.benches[0], self.benches[0]), [])

    def test_painted_is_checked(self):
        with self.assertRaises(BadField):
            parse_bench(ROWS[0] | {"painted": "31.02.2025"})

    def test_seats_is_checked(self):
        with self.assertRaises(BadField):
            parse_bench(ROWS[0] | {"seats": "several"})

    def test_wood_is_checked(self):
        with self.assertRaises(BadField):
            parse_bench(ROWS[0] | {"wood": "unheard of"})

    def test_broken_is_checked(self):
        with self.assertRaises(BadField):
            parse_bench(ROWS[0] | {"broken": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.benches, "ROUND")
        self.assertEqual([item.code for item in found], ["B0091", "B1019"])

    def test_find_painted_between(self):
        first, last = date(2024, 3, 3), date(2024, 6, 5)
        found = lists.find_painted_between(self.benches, first, last)
        self.assertEqual([item.code for item in found], ["B0091", "B0330"])

    def test_mean_seats(self):
        self.assertEqual(lists.mean_seats(self.benches), 3.5)
        self.assertIsNone(lists.mean_seats([]))

    def test_at_least_seats(self):
        found = lists.at_least_seats(self.benches, 4)
        self.assertEqual([item.code for item in found], ["B0091", "B0330"])

    def test_by_wood(self):
        groups = lists.by_wood(self.benches)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"oak": 4})

    def test_count_woods(self):
        self.assertEqual(lists.count_woods(self.benches), [("oak", 4)])

    def test_find_broken(self):
        found = lists.find_broken(self.benches)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
