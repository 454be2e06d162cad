"""Whether a connection is still there."""

import socket
import time
import unittest

from harness.idle_contestant import is_open


class IdleContestantTests(unittest.TestCase):
    def test_a_silent_connection_is_open_and_that_is_known_at_once(self) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.settimeout(10)
            begin = time.monotonic()
            self.assertTrue(is_open(ours))
            self.assertLess(time.monotonic() - begin, 5)

    def test_a_connection_that_the_other_side_closed_is_not(self) -> None:
        ours, theirs = socket.socketpair()
        with ours:
            theirs.close()
            self.assertFalse(is_open(ours))


if __name__ == "__main__":
    unittest.main()
