import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import blocks as lists
from archive.model.blocks import BLOCKS, changes_of_block, describe_block, format_block, parse_block

ROWS = [
    {
        "code": "B0279",
        "net": "Short hotel",
        "since": "2024-07-09",
        "until": "2024-07-26",
        "kind": "spam",
        "hits": "6280",
    },
    {
        "code": "B0359",
        "net": "Small cable",
        "since": "2024-08-22",
        "until": "2024-08-28",
        "kind": "spam",
        "hits": "8694",
    },
    {
        "code": "B0366",
        "net": "Second campus",
        "since": "2024-08-25",
        "until": "2024-09-30",
        "kind": "abuse",
        "hits": "1860",
    },
    {
        "code": "B0478",
        "net": "Plain cable",
        "since": "2024-10-12",
        "until": "2024-11-01",
        "kind": "abuse",
        "hits": "3007",
    },
]


class BlockTest(unittest.TestCase):
    def setUp(self):
        self.blocks = [parse_block(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_block(item) for item in self.blocks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BLOCKS.read()), 154)
        self.assertEqual(BLOCKS.get("B0279"), self.blocks[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0279",
            "net: Short hotel",
            "since: 09.07.2024",
            "until: 26.07.2024",
            "kind: spam",
            "hits: 6280",
        ]
        self.assertEqual(list(describe_block(self.blocks[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_block(self.blocks[0], self.blocks[1])
        self.assertEqual([name for name, _, _ in found], ["code", "net", "since", "until", "hits"])
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
        found = lists.search_net(self.blocks, "SMALL")
        self.assertEqual([item.code for item in found], ["B0359"])

    def test_pick_since_between(self):
        first, last = date(2024, 8, 22), date(2024, 8, 25)
        found = lists.pick_since_between(self.blocks, first, last)
        self.assertEqual([item.code for item in found], ["B0359", "B0366"])

    def test_pick_until_between(self):
        first, last = date(2024, 8, 28), date(2024, 9, 30)
        found = lists.pick_until_between(self.blocks, first, last)
        self.assertEqual([item.code for item in found], ["B0359", "B0366"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.blocks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"spam": 2, "abuse": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.blocks), [("abuse", 2), ("spam", 2)])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.blocks), 4960.2)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.blocks, 6280)
        self.assertEqual([item.code for item in found], ["B0279", "B0359"])


if __name__ == "__main__":
    unittest.main()
