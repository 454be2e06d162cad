"""Whether an answer is right."""

import tempfile
import unittest
from pathlib import Path

from harness.answer_check import Answer, check_ranges, check_whole, parts_of
from harness.cannot_measure import CannotMeasure

CONTENT = bytes(range(100))
MULTIPART = (
    b"--zz\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-3/100\r\n\r\n" + CONTENT[0:4]
    + b"\r\n--zz\r\ncontent-range:bytes 10-11/100\r\n\r\n" + CONTENT[10:12] + b"\r\n--zz--\r\n"
)  # fmt: skip


def answer(status: int, body: bytes, content_range: str = "", content_type: str = "") -> Answer:
    return Answer(status, content_type, content_range, "", "", body)


class AnswerCheckTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "file"
        self.file.write_bytes(CONTENT)

    def test_parts_of_a_multipart_body(self) -> None:
        expected = [("bytes 0-3/100", CONTENT[0:4]), ("bytes 10-11/100", CONTENT[10:12])]
        for parameter in ["; boundary=zz", ';boundary="zz"', "; Boundary=zz"]:
            content_type = "multipart/byteranges" + parameter
            with self.subTest(content_type=content_type):
                self.assertEqual(parts_of(content_type, MULTIPART), expected)
        self.assertEqual(parts_of("text/plain", MULTIPART), [])

    def test_right_answers_pass(self) -> None:
        check_whole(answer(200, CONTENT), self.file)
        check_ranges(answer(206, CONTENT[5:8], "bytes 5-7/100"), self.file, [(5, 7)])
        check_ranges(answer(206, MULTIPART, content_type="multipart/byteranges; boundary=zz"), self.file, [(0, 3), (10, 11)])

    def test_wrong_answers_say_what_is_wrong(self) -> None:
        table = [
            (answer(200, CONTENT), [(5, 7)], "answers 200 instead of 206"),
            (answer(206, CONTENT[5:8], "bytes 5-8/100"), [(5, 7)], "Content-Range"),
            (answer(206, CONTENT[6:9], "bytes 5-7/100"), [(5, 7)], "not that part"),
            (answer(206, MULTIPART, content_type="multipart/byteranges; boundary=zz"), [(0, 3), (10, 11), (20, 21)], "2 parts for 3"),
        ]
        for wrong, ranges, reason in table:
            with self.subTest(reason=reason), self.assertRaisesRegex(CannotMeasure, reason):
                check_ranges(wrong, self.file, ranges)
        with self.assertRaisesRegex(CannotMeasure, "not the file"):
            check_whole(answer(200, CONTENT[:-1] + b"x"), self.file)


if __name__ == "__main__":
    unittest.main()
