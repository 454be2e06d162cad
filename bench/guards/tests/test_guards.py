"""What the guards make of counts."""

import io
import unittest

from guards.answer import read_answer
from guards.instructions import total
from guards.limits import Verdict, limits_for, verdicts
from guards.request import REQUESTS


class GuardTests(unittest.TestCase):
    def test_the_sum_of_a_profile_is_found_under_either_name(self) -> None:
        self.assertEqual(total("version: 1\nevents: Ir\nsummary: 123\n"), 123)
        self.assertEqual(total("events: Ir\nfn=x\n1 2\ntotals: 456\n"), 456)
        with self.assertRaises(SystemExit):
            total("events: Ir\n")

    def test_limits_leave_some_room_and_are_round(self) -> None:
        counts = {"instructions": {"get": 41_234.5}, "allocations": {"get": 10.2, "none": 0.0}}
        self.assertEqual(limits_for(counts), {"instructions": {"get": 51_600}, "allocations": {"get": 11.5, "none": 0.5}})

    def test_verdicts(self) -> None:
        table = [(10.5, 10, "TOO MANY", True), (10, 10, "fine", False), (5, 10, "much too loose", False), (0.2, 1, "fine", False),
                 (1, None, "NO LIMIT", True)]  # fmt: skip
        for measured, limit, text, fails in table:
            with self.subTest(measured=measured, limit=limit):
                verdict = Verdict("allocations", "get", measured, limit)
                self.assertEqual((verdict.text, verdict.is_failure), (text, fails))

    def test_fresh_limits_are_fine(self) -> None:
        counts = {"instructions": {"get": 41_234.5, "put": 99.0}, "allocations": {"get": 10.2, "put": 200.0}}
        self.assertEqual({verdict.text for verdict in verdicts(counts, limits_for(counts))}, {"fine"})

    def test_requests_of_one_kind_have_one_length_and_announce_their_bodies(self) -> None:
        for request in REQUESTS:
            with self.subTest(request=request.name):
                made = [request.make(number, '"x"') for number in (0, 1, 99_999)]
                self.assertEqual(len({len(bytes_) for bytes_ in made}), 1)
                head, _, body = made[0].partition(b"\r\n\r\n")
                announced = [line.split(b": ")[1] for line in head.split(b"\r\n") if line.startswith(b"Content-Length")]
                self.assertEqual(int(announced[0]) if announced else 0, len(body))

    def test_an_answer_is_read_to_its_end(self) -> None:
        stream = io.BytesIO(b"HTTP/1.1 201 Created\r\nETag: \"a:b\"\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 304 Not Modified\r\n\r\n")
        first = read_answer(stream, has_body=True)
        self.assertEqual((first.status, first.fields["etag"]), (201, '"a:b"'))
        self.assertEqual(read_answer(stream, has_body=False).status, 304)
        with self.assertRaises(SystemExit):
            read_answer(stream, has_body=True)


if __name__ == "__main__":
    unittest.main()
