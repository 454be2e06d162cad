#!/usr/bin/env python3
"""Has REDbot judge the answers of a running server: check.py http://HOST:PORT

The server serves the folder that scripts/check-http makes. Every finding that is a warning or worse fails, unless TOLERATED has it.
REDbot asks of each GET by itself whether ranges and conditions hold what the answer promises.
"""

import sys
from configparser import ConfigParser

import thor
from httplint.note import levels
from redbot.resource import HttpResource

# Findings that are no faults here: for which answers, and why.
TOLERATED = {
    "CSP_UNSAFE_INLINE": (
        ("file", "style sheet", "range", "suffix range", "several ranges", "HEAD of a file"),
        "It is said of style-src: styles that a file brings along. Scripts are refused by default-src and by sandbox.",
    ),
    "FRESHNESS_NO_CACHE_NO_VALIDATOR": (
        ("page", "JSON list", "page of the list", "HEAD of the page", "question before deleting"),
        "A list is true for a moment, and there is nothing to ask about again.",
    ),
    "PARTIAL_WITHOUT_RANGE": (
        ("several ranges",),
        "RFC 9110 section 15.3.7.2: Content-Range stands in the parts and must not stand in the head.",
    ),
}

FORM = (
    b"--b\r\nContent-Disposition: form-data; name=file; filename=form.txt\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n"
)
FORM_TYPE = ("Content-Type", "multipart/form-data; boundary=b")
HTML = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
JSON = ("Accept", "application/json")
LATER = ("If-Modified-Since", "@LAST-MODIFIED")
SAME = ("If-None-Match", "@ETAG")

# name, method, path, fields, content, status. Of GET without conditions and ranges REDbot tries these itself.
REQUESTS = [
    ("page", "GET", "/", [HTML], b"", 200),
    ("JSON list", "GET", "/?json", [], b"", 200),
    ("page of the list", "GET", "/?limit=1", [HTML], b"", 200),
    ("HEAD of the page", "HEAD", "/", [HTML], b"", 200),
    ("redirect to the folder", "GET", "/folder", [HTML], b"", 308),
    ("page", "GET", "/folder/", [HTML], b"", 200),
    ("style sheet", "GET", "/-/assets/style.css", [], b"", 200),
    ("file", "GET", "/notes.txt", [], b"", 200),
    ("file", "GET", "/photo.jpg", [HTML], b"", 200),
    ("file", "GET", "/large.bin", [], b"", 200),
    ("file", "GET", "/%C3%A4%20%22b%22.svg", [], b"", 200),
    ("file", "GET", "/empty", [], b"", 200),
    ("HEAD of a file", "HEAD", "/notes.txt", [], b"", 200),
    ("not modified", "GET", "/notes.txt", [SAME], b"", 304),
    ("not modified", "GET", "/notes.txt", [LATER], b"", 304),
    ("not modified", "HEAD", "/notes.txt", [SAME], b"", 304),
    ("range", "GET", "/notes.txt", [("Range", "bytes=0-99")], b"", 206),
    ("suffix range", "GET", "/large.bin", [("Range", "bytes=-5")], b"", 206),
    ("several ranges", "GET", "/notes.txt", [("Range", "bytes=0-9,50-59")], b"", 206),
    ("range past the end", "GET", "/notes.txt", [("Range", "bytes=99999999-")], b"", 416),
    ("condition failed", "GET", "/notes.txt", [("If-Match", '"other"')], b"", 412),
    ("error as text", "GET", "/missing", [], b"", 404),
    ("error page", "GET", "/missing", [HTML], b"", 404),
    ("error as JSON", "GET", "/missing", [JSON], b"", 404),
    ("method not allowed", "PATCH", "/notes.txt", [], b"", 405),
    ("options", "OPTIONS", "/notes.txt", [], b"", 204),
    ("put", "PUT", "/put.txt", [], b"hello", 201),
    ("put over a taken name", "PUT", "/put.txt", [], b"hello", 409),
    ("form stored", "POST", "/", [FORM_TYPE, HTML], FORM, 303),
    ("form stored as JSON", "POST", "/", [FORM_TYPE, JSON], FORM, 201),
    ("no form", "POST", "/", [("Content-Type", "text/plain")], b"hello", 415),
    ("question before deleting", "GET", "/delete/put.txt", [HTML, ("User-Agent", "Mozilla/5.0")], b"", 200),
    ("delete", "DELETE", "/put.txt", [], b"", 204),
]


class Judge:
    """Sends the requests one after the other and gathers what is found."""

    def __init__(self, base, requests):
        self.base = base
        self.waiting = list(requests)
        self.faults = []
        self.used = set()
        self.noted = {}
        self.settings = ConfigParser()
        self.settings.read_dict({"redbot": {"enable_local_access": "True"}})

    def run(self):
        self.next()
        thor.run()

    def next(self):
        if not self.waiting:
            thor.stop()
            return
        name, method, path, fields, content, status = self.waiting.pop(0)
        fields = [(field, self.noted.get(value, value)) for field, value in fields]
        asks_more = method == "GET" and status == 200 and not path.startswith("/delete/")
        resource = HttpResource(self.settings["redbot"], active_checks_enabled=asks_more)
        resource.set_request(self.base + path, method, fields, content)

        def done():
            if path == "/notes.txt" and method == "GET" and status == 200:
                self.noted = {"@" + field.upper(): value for field, value in resource.response.headers.text}
            self.judge(name, f"{method} {path} ({name})", status, resource)
            self.next()

        resource.once("check_done", done)
        resource.check()

    def judge(self, name, title, status, resource):
        response = resource.response
        if not response.complete or response.status_code != status:
            self.faults.append(f"{title}: answered {response.status_code}, not {status} ({resource.fetch_error})")
            return
        count = 0
        for note in self.all_notes(response.notes):
            count += 1
            if note.level not in (levels.WARN, levels.BAD):
                continue
            kind = type(note).__name__
            names, _ = TOLERATED.get(kind, ((), ""))
            if name in names:
                self.used.add((kind, name))
            else:
                self.faults.append(f"{title}: {note.level.value}: {kind}: {note.summary}")
        if count == 0:
            self.faults.append(f"{title}: nothing was looked at")

    def all_notes(self, notes):
        for note in notes:
            yield note
            yield from self.all_notes(note.subnotes)


def main():
    judge = Judge(sys.argv[1].rstrip("/"), REQUESTS)
    judge.run()
    unused = [(kind, name) for kind, (names, _) in TOLERATED.items() for name in names if (kind, name) not in judge.used]
    judge.faults += [f"tolerated, but not found any more: {kind} of {name}" for kind, name in unused]
    for fault in judge.faults:
        print(fault)
    print(f"{len(REQUESTS)} answers, {len(judge.used)} findings tolerated, {len(judge.faults)} faults")
    return 1 if judge.faults or judge.waiting else 0


if __name__ == "__main__":
    sys.exit(main())
