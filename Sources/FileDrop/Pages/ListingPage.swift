/// The page of one folder: the upload form and the list. It works without script.
struct ListingPage: Sendable {
    /// One line of the list.
    struct Entry: Sendable {
        /// Any bytes: names on the disk need not be UTF-8.
        var name: [UInt8]
        /// Percent-encoded, beginning with `/`. Empty: the entry is shown but cannot be reached.
        var url: String
        /// Where the delete button posts to. Empty: no button.
        var deleteURL: String
        var isFolder: Bool
        /// In bytes; not shown for folders.
        var size: Int64
        /// Since 1970, UTC.
        var modifiedSeconds: Int64
    }

    /// Where the rest of the list is, when the page shows a part of it.
    struct Turns: Sendable {
        /// The address of the beginning; `nil` on the page that has it.
        var first: String?
        /// The address of what follows; `nil` where the list ends.
        var next: String?
    }

    /// The drop's title.
    var title: String
    /// From the root's first folder down to this one; empty at the root.
    var path: [(name: [UInt8], url: String)]
    var uploadURL: String
    /// The most bytes one upload may hold, as `ByteText` says it; `nil`: no limit.
    var maxSizeText: String?
    /// The most files of one upload.
    var maxFiles: Int
    var canUpload: Bool
    var canDelete: Bool

    /// About so many bytes leave in one piece.
    private static let pieceBytes = 64 << 10

    /// Writes the page as UTF-8, piece by piece.
    /// - Parameter entries: in the order they are shown.
    func render<Failure: Error>(
        _ entries: some Collection<Entry>, _ turns: Turns = Turns(), to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var html = HTML()
        let folder = self.path.last.map { "\(VisibleName.text($0.name)) · " } ?? ""
        PageFrame.begin(title: folder + self.title, in: &html)
        self.writeHeader(to: &html)
        if self.canUpload { self.writeForm(to: &html) }
        try self.writeList(entries, turns, to: &html, output)
        PageFrame.end(in: &html)
        try output(html.take())
    }

    private func writeHeader(to html: inout HTML) {
        html.markup("<header>\n<img src=\"/-/assets/favicon.svg\" alt=\"\" width=\"40\" height=\"40\">\n<h1>")
        html.text(self.title)
        html.markup("</h1>\n</header>\n")
        guard !self.path.isEmpty else { return }
        html.markup("<nav aria-label=\"Folders above\">\n<ol>\n<li><a href=\"/\">All files</a></li>\n")
        for (index, crumb) in self.path.enumerated() {
            html.markup("<li><a")
            html.reference("href", crumb.url)
            if index + 1 == self.path.count { html.markup(" aria-current=\"page\"") }
            html.markup(">")
            html.name(crumb.name)
            html.markup("</a></li>\n")
        }
        html.markup("</ol>\n</nav>\n")
    }

    private func writeForm(to html: inout HTML) {
        html.markup("<form class=\"card upload\" method=\"post\" enctype=\"multipart/form-data\"")
        html.reference("action", self.uploadURL)
        html.markup(">\n<label for=\"file\">Drop files here, or choose them</label>\n")
        html.markup("<input id=\"file\" type=\"file\" name=\"file\" multiple required")
        html.markup(" aria-describedby=\"limit\">\n<p id=\"limit\">Up to ")
        if let limit = self.maxSizeText { html.text("\(limit) and ") }
        html.text("\(self.maxFiles) files at a time.")
        html.markup("</p>\n")
        html.markup("<button class=\"button\" type=\"submit\">Upload</button>\n</form>\n")
    }

    private func writeList<Failure: Error>(
        _ entries: some Collection<Entry>, _ turns: Turns, to html: inout HTML, _ output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        html.markup("<section aria-labelledby=\"files\">\n<h2 id=\"files\">Files</h2>\n")
        if entries.isEmpty, turns.first != nil {
            html.markup("<p class=\"card empty\">The list has nothing more.</p>\n")
        } else if entries.isEmpty {
            html.markup("<p class=\"card empty\">Nothing here yet.")
            if self.canUpload { html.markup(" Choose some files above: they will be listed here for everyone on this network.") }
            html.markup("</p>\n")
        } else {
            html.markup("<p class=\"actions\"><a class=\"button quiet\"")
            html.reference("href", self.uploadURL + "?zip")
            html.markup(" download>Download all as zip</a></p>\n")
            // Safari takes the meaning from a list without bullets, the role gives it back.
            html.markup("<ul class=\"card files\" role=\"list\">\n")
            for entry in entries {
                self.write(entry, to: &html)
                if html.bytes.count >= Self.pieceBytes { try output(html.take()) }
            }
            html.markup("</ul>\n")
        }
        self.write(turns, to: &html)
        if !self.canUpload {
            html.markup("<p class=\"note\">This server only shares files: nothing can be uploaded or deleted.</p>\n")
        }
        html.markup("</section>\n")
    }

    private func write(_ turns: Turns, to html: inout HTML) {
        guard turns.first != nil || turns.next != nil else { return }
        html.markup("<nav class=\"turns\" aria-label=\"Parts of the list\">\n")
        if let first = turns.first {
            html.markup("<a class=\"button quiet\"")
            html.reference("href", first)
            html.markup(">Back to the beginning</a>\n")
        }
        if let next = turns.next {
            html.markup("<a class=\"button\" rel=\"next\"")
            html.reference("href", next)
            html.markup(">Next</a>\n")
        }
        html.markup("</nav>\n")
    }

    private func write(_ entry: Entry, to html: inout HTML) {
        html.markup(entry.isFolder ? "<li class=\"folder\">\n" : "<li>\n")
        if entry.url.isEmpty {
            html.markup("<span class=\"name\" title=\"The server keeps this name for itself\">")
            html.name(entry.name)
            html.markup("</span>\n")
        } else {
            html.markup("<a class=\"name\"")
            html.reference("href", entry.url)
            // Without a value: the name to save under is the one the server sends.
            html.markup(entry.isFolder ? ">" : " download>")
            html.name(entry.name)
            html.markup("</a>\n")
        }
        html.markup("<p class=\"facts\"><span>")
        html.text(entry.isFolder ? "Folder" : ByteText.format(entry.size))
        html.markup("</span> <time")
        let time = TimeText(seconds: entry.modifiedSeconds)
        html.attribute("datetime", time.machine)
        html.markup(">")
        html.text(time.readable)
        html.markup("</time></p>\n")
        if self.canDelete, !entry.deleteURL.isEmpty {
            html.markup("<form method=\"post\"")
            html.reference("action", entry.deleteURL)
            html.markup("><button class=\"button quiet danger\" type=\"submit\"")
            html.attribute("aria-label", "Delete \(VisibleName.text(entry.name))")
            html.markup(">Delete</button></form>\n")
        }
        html.markup("</li>\n")
    }
}
