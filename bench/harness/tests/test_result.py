"""What follows from samples."""

import unittest

from harness import report
from harness.result import Result
from harness.target import BEST_PEER, Target


def result() -> Result:
    made = Result("get-1k", "GET of 1 KiB", "cpu_us", {"nginx", "h2o"})
    for name, cpu, rate in [("uvdrop", 8.0, 100.0), ("floor", 6.0, 140.0), ("nginx", 12.0, 70.0), ("h2o", 10.0, 90.0)]:
        for round_, slowness in enumerate([1, 2, 1]):
            made.add(name, round_, {"cpu_us": cpu * slowness, "requests_s": rate / slowness})
    made.cannot["uploadserver"] = "closes the connection after each answer"
    return made


class ResultTests(unittest.TestCase):
    def test_the_best_peer_is_the_lowest_or_the_highest_as_the_figure_is_and_never_the_floor(self) -> None:
        self.assertEqual(result().best_peer("cpu_us"), "h2o")
        self.assertEqual(result().best_peer("requests_s"), "h2o")
        self.assertIsNone(result().best_peer("start_ms"))

    def test_ratios_do_not_see_what_slows_both(self) -> None:
        ratio = result().ratio("uvdrop", "h2o", "cpu_us")
        assert ratio
        self.assertEqual((ratio.low, ratio.median, ratio.high), (0.8, 0.8, 0.8))

    def test_verdicts(self) -> None:
        table = [
            (Target("cpu_us", 0.88, BEST_PEER), "h2o", True),
            (Target("cpu_us", 1.10, "floor"), "floor", False),
            (Target("requests_s", 1, "nginx", at_least=True), "nginx", True),
            (Target("cpu_us", 8), None, True),
            (Target("cpu_us", 1, "caddy"), "caddy", None),
            (Target("start_ms", 30), None, None),
        ]
        for target, against, is_met in table:
            with self.subTest(target=str(target)):
                verdict = result().verdicts([target])[0]
                self.assertEqual((verdict.against, verdict.is_met), (against, is_met))

    def test_the_text_says_what_was_missed_and_who_could_not(self) -> None:
        text = report.text(result(), [Target("cpu_us", 1.10, "floor"), Target("start_ms", 30)])
        self.assertIn("target  CPU µs/request: at most 1.1 × floor: 1.33 (1.33–1.33), MISSED", text)
        self.assertIn("target  ms to first answer: at most 30: not measured", text)
        self.assertIn("uploadserver: closes the connection after each answer", text)

    def test_the_document_has_every_sample(self) -> None:
        document = report.document(result(), [])
        self.assertEqual(document["contestants"]["nginx"]["cpu_us"]["samples"], [12, 24, 12])
        self.assertEqual(document["ratio_to_uvdrop"]["nginx"]["median"], 1.5)


if __name__ == "__main__":
    unittest.main()
