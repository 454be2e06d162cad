import Testing

@testable import FileDrop

@Suite("Links on pages")
struct LinkTests {
    @Test(
        "lead where they are meant to, and nowhere else (A39)",
        arguments: [
            ("/what%3F", "/what%3F"), ("/a%23b.txt", "/a%23b.txt"), ("/my%3Afile", "/my%3Afile"), ("/50%25.txt", "/50%25.txt"),
            ("/a&b'c", "/a&amp;b&#39;c"), ("?a=1&b=2", "?a=1&amp;b=2"), ("/", "/"),
            ("my:file", "./my:file"), ("javascript:alert(1)", "./javascript:alert(1)"), ("//host/x", ".///host/x"), ("", "./"),
            ("/\t/host", "/%09/host"), ("\t//host", "./%09//host"), ("/\\host", "/%5Chost"), ("\\\\host", "./%5C%5Chost"),
            ("/a b", "/a%20b"), ("/\"><b>", "/%22%3E%3Cb%3E"), ("/\"\u{301}", "/%22%CC%81"), ("/ü", "/%C3%BC"),
            ("/\u{0}\n", "/%00%0A"),
        ])
    func reference(_ url: String, _ written: String) {
        var html = HTML()
        html.reference("href", url)
        #expect(html.bytes == Array(" href=\"\(written)\"".utf8))
    }

    @Test(
        "keep an encoded address through the page, for opening and for deleting (A39)",
        arguments: [
            "what%3F", "what", "a%23b.txt", "my%3Afile", "50%25.txt", "%26amp%3B", "a%20b", "%CC%88uber.txt", "%3C%CC%B8", "%FF",
        ])
    func roundTrip(_ element: String) {
        let entry = ListingPage.Entry(
            name: Array("x".utf8), url: "/\(element)", deleteURL: "/delete/\(element)", isFolder: false, size: 0,
            modifiedSeconds: 0)
        let page = Markup(
            ListingPage(
                title: "t", path: [], uploadURL: "/\(element)/", maxSizeText: nil, maxFiles: 9, canUpload: true,
                canDelete: true
            ).rendered([entry]))
        #expect(page.tags.filter { $0.name == "a" }.map { $0.value("href") } == ["/\(element)/?zip", "/\(element)"])
        #expect(page.tags.filter { $0.name == "form" }.map { $0.value("action") } == ["/\(element)/", "/delete/\(element)"])
    }

    @Test("never delete: deleting is always a form that posts")
    func deletesByPost() {
        for (_, bytes) in SamplePages.all(name: Array("a".utf8)) {
            let page = Markup(bytes)
            #expect(page.tags.allSatisfy { $0.name != "a" || $0.value("href")?.contains("delete") == false })
            #expect(page.tags.allSatisfy { $0.name != "form" || $0.value("method") == "post" })
        }
    }
}
