"""Who takes part in a scenario."""

import unittest
from types import SimpleNamespace

from harness.cannot_measure import CannotMeasure
from harness.runner import run


class RunnerTests(unittest.TestCase):
    def test_a_name_that_no_server_has_is_told_with_those_there_are(self) -> None:
        servers = [SimpleNamespace(name=name, is_peer=False) for name in ("uvdrop", "floor")]
        scenario = SimpleNamespace(name="s", title="", main_figure="", contestants=lambda bench: servers)
        with self.assertRaisesRegex(CannotMeasure, "has none of ngnix, but uvdrop, floor"):
            run(scenario, None, 1, ["ngnix"])
