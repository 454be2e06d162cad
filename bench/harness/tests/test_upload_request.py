"""The bytes around an upload."""

import email
import unittest

from harness.form import Form
from harness.upload_request import form_request, put_request


class UploadRequestTests(unittest.TestCase):
    def test_a_put_announces_the_size_of_the_file(self) -> None:
        head, tail = put_request(8080, 1234)
        self.assertIn(b"\r\nContent-Length: 1234\r\n", head)
        self.assertTrue(head.startswith(b"PUT /NNN.bin HTTP/1.1\r\n") and head.endswith(b"\r\n\r\n"))
        self.assertEqual(tail, b"")

    def test_a_form_announces_all_of_its_bytes_and_parses_as_one(self) -> None:
        head, tail = form_request(8080, 5, Form("/upload", "f", {"act": "bput"}))
        request_head, _, parts = head.partition(b"\r\n\r\n")
        body = parts + b"12345" + tail
        fields = dict(line.split(": ", 1) for line in request_head.decode().splitlines()[1:])
        self.assertEqual(int(fields["Content-Length"]), len(body))
        message = email.message_from_bytes(b"Content-Type: " + fields["Content-Type"].encode() + b"\r\n\r\n" + body)
        parts_read = list(message.walk())[1:]
        sent = [(part.get_param("name", header="content-disposition"), part.get_payload(decode=True)) for part in parts_read]
        self.assertEqual(sent, [("act", b"bput"), ("f", b"12345")])


if __name__ == "__main__":
    unittest.main()
