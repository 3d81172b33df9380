import unittest
from pathlib import Path

from routes import read_map, shortest


class MapsTest(unittest.TestCase):
    def test_every_place_is_reached_from_every_other(self):
        for path in sorted(Path("maps").glob("*.txt")):
            if path.stem == "park":  # has a tower of its own
                continue
            network = read_map(path)
            first = min(network)
            with self.subTest(path.stem):
                self.assertEqual({place for place in network if shortest(network, first, place)}, set(network))

    def test_ways_are_as_long_in_both_directions(self):
        network = read_map("maps/valley.txt")
        first, last = min(network), max(network)
        self.assertEqual(shortest(network, first, last)[0], shortest(network, last, first)[0])
