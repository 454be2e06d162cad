"""The README's table."""

import unittest

from harness.markdown import markdown


def scenario(name: str, figure: str, ratios: dict[str, float]) -> dict:
    spreads = {server: {"median": ratio} for server, ratio in ratios.items()}
    return {"name": name, "title": f"title of {name}", "main_figure": figure, "ratio_to_uvdrop": {**spreads, "disk": None}}


class MarkdownTests(unittest.TestCase):
    def test_above_one_is_better_for_uvdrop_whatever_the_figure(self) -> None:
        scenarios = [
            scenario("get-1k", "cpu_us", {"floor": 0.8, "nginx": 1.5}),
            scenario("put", "mib_s", {"nginx": 0.5, "caddy": 0.25}),
            scenario("nobody", "mib_s", {}),
        ]
        document = {"scenarios": scenarios, "rounds": 9, "machine": "Linux, EPYC",
                    "versions": {"uvdrop": "uvdrop 1", "nginx": "nginx 2", "nginx-plain": "nginx 2", "h2o": "missing", "wrk": "wrk 4"}}  # fmt: skip
        self.assertEqual(markdown(document).splitlines(), [
            "| | measured | floor | nginx | caddy |",
            "|---|---|---:|---:|---:|",
            "| title of get-1k | CPU µs/request | 0.80 | 1.50 | |",
            "| title of put | MiB/s | | 2.00 | 4.00 |",
            "",
            "Medians of 9 rounds by `bench/run get-1k put nobody --rounds 9 --json FILE`, Linux, EPYC; the table by"
            " `bench/run --markdown FILE`. Versions: uvdrop 1, nginx 2.",
        ])  # fmt: skip


if __name__ == "__main__":
    unittest.main()
