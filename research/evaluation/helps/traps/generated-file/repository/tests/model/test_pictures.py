import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import pictures as lists
from archive.model.pictures import PICTURES, changes_of_picture, describe_picture, format_picture, parse_picture

ROWS = [
    {"code": "P0237", "added": "2024-10-28", "width": "178", "height": "3133", "kind": "png", "shown": "yes"},
    {"code": "P0415", "added": "2024-12-25", "width": "3879", "height": "886", "kind": "webp", "shown": "no"},
    {"code": "P0493", "added": "2025-01-27", "width": "1398", "height": "3286", "kind": "jpeg", "shown": "no"},
    {"code": "P0622", "added": "2025-03-30", "width": "85", "height": "3413", "kind": "webp", "shown": "no"},
]


class PictureTest(unittest.TestCase):
    def setUp(self):
        self.pictures = [parse_picture(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_picture(item) for item in self.pictures], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PICTURES.read()), 187)
        self.assertEqual(PICTURES.get("P0237"), self.pictures[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0237",
            "added: 28.10.2024",
            "width: 178",
            "height: 3133",
            "kind: png",
            "shown",
        ]
        self.assertEqual(list(describe_picture(self.pictures[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_picture(self.pictures[0], self.pictures[1])
        self.assertEqual([name for name, _, _ in found], ["code", "added", "width", "height", "kind", "shown"])
        self.assertEqual(changes_of_picture(self.pictures[0], self.pictures[0]), [])

    def test_added_is_checked(self):
        with self.assertRaises(BadField):
            parse_picture(ROWS[0] | {"added": "31.02.2025"})

    def test_width_is_checked(self):
        with self.assertRaises(BadField):
            parse_picture(ROWS[0] | {"width": "several"})

    def test_height_is_checked(self):
        with self.assertRaises(BadField):
            parse_picture(ROWS[0] | {"height": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_picture(ROWS[0] | {"kind": "unheard of"})

    def test_shown_is_checked(self):
        with self.assertRaises(BadField):
            parse_picture(ROWS[0] | {"shown": "perhaps"})

    def test_pick_added_between(self):
        first, last = date(2024, 12, 25), date(2025, 1, 27)
        found = lists.pick_added_between(self.pictures, first, last)
        self.assertEqual([item.code for item in found], ["P0415", "P0493"])

    def test_mean_width(self):
        self.assertEqual(lists.mean_width(self.pictures), 1385.0)
        self.assertIsNone(lists.mean_width([]))

    def test_at_least_width(self):
        found = lists.at_least_width(self.pictures, 1398)
        self.assertEqual([item.code for item in found], ["P0415", "P0493"])

    def test_mean_height(self):
        self.assertEqual(lists.mean_height(self.pictures), 2679.5)
        self.assertIsNone(lists.mean_height([]))

    def test_at_least_height(self):
        found = lists.at_least_height(self.pictures, 3286)
        self.assertEqual([item.code for item in found], ["P0493", "P0622"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.pictures)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"png": 1, "webp": 2, "jpeg": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.pictures), [("webp", 2), ("jpeg", 1), ("png", 1)])

    def test_pick_shown(self):
        found = lists.pick_shown(self.pictures)
        self.assertEqual([item.code for item in found], ["P0237"])


if __name__ == "__main__":
    unittest.main()
