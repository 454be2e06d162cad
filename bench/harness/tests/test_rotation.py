"""The order of the slices."""

import itertools
import unittest

from harness.rotation import rotated


class RotationTests(unittest.TestCase):
    def test_each_round_begins_one_further_and_later_runs_backwards(self) -> None:
        orders = ["".join(rotated("abc", round_)) for round_ in range(6)]
        self.assertEqual(orders, ["abc", "bca", "cab", "cba", "acb", "bac"])

    def test_each_stands_at_each_place_equally_often(self) -> None:
        orders = [rotated("abcd", round_) for round_ in range(8)]
        for item, place in itertools.product("abcd", range(4)):
            self.assertEqual(sum(order[place] == item for order in orders), 2, f"{item} at {place}")

    def test_each_is_as_often_before_as_after_another(self) -> None:
        orders = [rotated("abcd", round_) for round_ in range(8)]
        for one, other in itertools.combinations("abcd", 2):
            self.assertEqual(sum(order.index(one) < order.index(other) for order in orders), 4, one + other)

    def test_of_nothing_there_is_no_order(self) -> None:
        self.assertEqual(rotated([], 3), [])


if __name__ == "__main__":
    unittest.main()
