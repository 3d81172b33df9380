import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import benches as lists
from rangers.records.benches import BENCHES, changes_of_bench, describe_bench, format_bench, parse_bench

ROWS = [
    {
        "code": "B0537",
        "place": "Upper spring",
        "painted": "2024-09-18",
        "seats": "4",
        "wood": "oak",
        "broken": "yes",
        "remark": "seen from the path",
    },
    {
        "code": "B0607",
        "place": "South meadow 7",
        "painted": "2024-10-15",
        "seats": "5",
        "wood": "pine",
        "broken": "yes",
        "remark": "to be cut",
    },
    {
        "code": "B0750",
        "place": "New spring",
        "painted": "2024-12-15",
        "seats": "5",
        "wood": "larch",
        "broken": "no",
        "remark": "",
    },
    {
        "code": "B0813",
        "place": "Green gate",
        "painted": "2024-12-31",
        "seats": "2",
        "wood": "pine",
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
        self.assertEqual(BENCHES.get("B0537"), self.benches[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0537",
            "place: Upper spring",
            "painted: 18.09.2024",
            "seats: 4",
            "wood: oak",
            "broken",
            "remark: seen from the path",
        ]
        self.assertEqual(list(describe_bench(self.benches[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bench(self.benches[0], self.benches[1])
        wanted = ["code", "place", "painted", "seats", "wood", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
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
        found = lists.search_place(self.benches, "SOUTH")
        self.assertEqual([item.code for item in found], ["B0607"])

    def test_find_painted_between(self):
        first, last = date(2024, 10, 15), date(2024, 12, 15)
        found = lists.find_painted_between(self.benches, first, last)
        self.assertEqual([item.code for item in found], ["B0607", "B0750"])

    def test_mean_seats(self):
        self.assertEqual(lists.mean_seats(self.benches), 4.0)
        self.assertIsNone(lists.mean_seats([]))

    def test_at_least_seats(self):
        found = lists.at_least_seats(self.benches, 5)
        self.assertEqual([item.code for item in found], ["B0607", "B0750"])

    def test_by_wood(self):
        groups = lists.by_wood(self.benches)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"oak": 1, "pine": 2, "larch": 1})

    def test_count_woods(self):
        self.assertEqual(lists.count_woods(self.benches), [("pine", 2), ("larch", 1), ("oak", 1)])

    def test_find_broken(self):
        found = lists.find_broken(self.benches)
        self.assertEqual([item.code for item in found], ["B0537", "B0607"])


if __name__ == "__main__":
    unittest.main()
