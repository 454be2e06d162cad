"""Medians, spread and ratios."""

import unittest

from harness.figures import Spread, median, paired_ratios, quantile


class FiguresTests(unittest.TestCase):
    def test_the_median_is_the_middle_or_between_the_two_middle_ones(self) -> None:
        for values, expected in [([3.0], 3), ([1.0, 2.0], 1.5), ([9.0, 1.0, 5.0], 5), ([4.0, 1.0, 3.0, 2.0], 2.5)]:
            with self.subTest(values=values):
                self.assertEqual(median(values), expected)

    def test_quantiles_lie_between_the_neighbours(self) -> None:
        values = [10.0, 20.0, 30.0, 40.0, 50.0]
        for fraction, expected in [(0, 10), (0.25, 20), (0.375, 25), (1, 50)]:
            with self.subTest(fraction=fraction):
                self.assertEqual(quantile(values, fraction), expected)

    def test_a_spread_holds_ends_and_quartiles(self) -> None:
        self.assertEqual(Spread.of([5.0, 1.0, 3.0, 2.0, 4.0]), Spread(3, 1, 5, 2, 4, 5))

    def test_ratios_are_taken_round_by_round(self) -> None:
        # The machine is twice as slow in round 1: both are, and the ratio does not see it.
        self.assertEqual(paired_ratios({0: 10.0, 1: 20.0}, {0: 5.0, 1: 10.0}), [2, 2])

    def test_rounds_without_a_partner_are_left_out(self) -> None:
        self.assertEqual(paired_ratios({0: 1.0, 1: 3.0, 2: 4.0}, {1: 2.0, 2: 0.0}), [1.5])
        self.assertEqual(paired_ratios({0: 1.0}, {}), [])


if __name__ == "__main__":
    unittest.main()
