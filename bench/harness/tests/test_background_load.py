"""What a result of uvload means."""

import json
import unittest

from harness.background_load import checked
from harness.cannot_measure import CannotMeasure


def output(errors: dict) -> str:
    return json.dumps({"loads": [{"kind": "put", "requests": 8, "errors": {}}, {"kind": "get", "requests": 8, "errors": errors}]})


class BackgroundLoadTests(unittest.TestCase):
    def test_a_result_without_errors_is_taken(self) -> None:
        self.assertEqual(checked(0, output({}), "")["loads"][0]["requests"], 8)

    def test_the_first_failure_is_said(self) -> None:
        with self.assertRaisesRegex(CannotMeasure, "^2 of 10 get requests: byte 7 of the file is wrong$"):
            checked(1, output({"wrong bytes": {"count": 2, "first": "byte 7 of the file is wrong"}}), "")

    def test_a_load_that_did_not_run_says_why(self) -> None:
        for status, said, reason in [(2, "uvload: no\nTry uvload --help.\n", "uvload: no"), (-11, "", "no reason given")]:
            with self.subTest(status=status), self.assertRaisesRegex(CannotMeasure, f"^the load failed: {reason}$"):
                checked(status, "", said)


if __name__ == "__main__":
    unittest.main()
