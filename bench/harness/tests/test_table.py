"""The text table."""

import unittest

from harness.table import table


class TableTests(unittest.TestCase):
    def test_the_first_column_stands_left_and_the_others_right(self) -> None:
        text = table(["", "CPU µs", "x"], [["uvdrop", "8.00", "1"], ["h2o", "10.00"]])
        self.assertEqual(text.splitlines(), ["        CPU µs  x", "------  ------  -", "uvdrop    8.00  1", "h2o      10.00"])


if __name__ == "__main__":
    unittest.main()
