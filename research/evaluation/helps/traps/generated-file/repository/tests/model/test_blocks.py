import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import blocks as lists
from archive.model.blocks import BLOCKS, changes_of_block, describe_block, format_block, parse_block

ROWS = [
    {
        "code": "B0042",
        "net": "Plain garden",
        "since": "2024-03-03",
        "until": "2024-03-12",
        "kind": "abuse",
        "hits": "7953",
    },
    {
        "code": "B0321",
        "net": "Long bridge",
        "since": "2024-07-05",
        "until": "2024-09-03",
        "kind": "test",
        "hits": "3572",
    },
    {
        "code": "B0485",
        "net": "Blue letter",
        "since": "2024-09-22",
        "until": "2024-09-30",
        "kind": "abuse",
        "hits": "7987",
    },
    {
        "code": "B0583",
        "net": "Grey harbour",
        "since": "2024-11-04",
        "until": "2024-12-26",
        "kind": "spam",
        "hits": "7896",
    },
]


class BlockTest(unittest.TestCase):
    def setUp(self):
        self.blocks = [parse_block(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_block(item) for item in self.blocks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BLOCKS.read()), 154)
        self.assertEqual(BLOCKS.get("B0042"), self.blocks[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0042",
            "net: Plain garden",
            "since: 03.03.2024",
            "until: 12.03.2024",
            "kind: abuse",
            "hits: 7953",
        ]
        self.assertEqual(list(describe_block(self.blocks[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_block(self.blocks[0], self.blocks[1])
        self.assertEqual([name for name, _, _ in found], ["code", "net", "since", "until", "kind", "hits"])
        self.assertEqual(changes_of_block(self.blocks[0], self.blocks[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_block(ROWS[0] | {"since": "31.02.2025"})

    def test_until_is_checked(self):
        with self.assertRaises(BadField):
            parse_block(ROWS[0] | {"until": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_block(ROWS[0] | {"kind": "unheard of"})

    def test_hits_is_checked(self):
        with self.assertRaises(BadField):
            parse_block(ROWS[0] | {"hits": "several"})

    def test_search_net(self):
        found = lists.search_net(self.blocks, "LONG")
        self.assertEqual([item.code for item in found], ["B0321"])

    def test_pick_since_between(self):
        first, last = date(2024, 7, 5), date(2024, 9, 22)
        found = lists.pick_since_between(self.blocks, first, last)
        self.assertEqual([item.code for item in found], ["B0321", "B0485"])

    def test_pick_until_between(self):
        first, last = date(2024, 9, 3), date(2024, 9, 30)
        found = lists.pick_until_between(self.blocks, first, last)
        self.assertEqual([item.code for item in found], ["B0321", "B0485"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.blocks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"abuse": 2, "test": 1, "spam": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.blocks), [("abuse", 2), ("spam", 1), ("test", 1)])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.blocks), 6852.0)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.blocks, 7953)
        self.assertEqual([item.code for item in found], ["B0042", "B0485"])


if __name__ == "__main__":
    unittest.main()
