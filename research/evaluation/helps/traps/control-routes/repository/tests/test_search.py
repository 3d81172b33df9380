import unittest

from routes import NoWay, read_map, shortest


class SearchTest(unittest.TestCase):
    def setUp(self):
        self.park = read_map("maps/park.txt")

    def test_the_shortest_way(self):
        self.assertEqual(shortest(self.park, "gate", "lake"), (7, ["gate", "oak", "lake"]))
        self.assertEqual(shortest(self.park, "rose", "hill"), (9, ["rose", "hill"]))

    def test_a_place_is_reached_from_itself(self):
        self.assertEqual(shortest(self.park, "gate", "gate"), (0, ["gate"]))

    def test_there_is_no_way(self):
        with self.assertRaises(NoWay):
            shortest(self.park, "gate", "cave")
