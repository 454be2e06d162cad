@testable import FileDrop

/// Every page of ours, with one name in every place where a name, a title or a sentence can stand.
enum SamplePages {
    static func all(name: [UInt8]) -> [(page: String, bytes: [UInt8])] {
        let text = String(decoding: name, as: UTF8.self)
        var pages: [(String, [UInt8])] = []
        for (canUpload, canDelete) in [(true, true), (false, false)] {
            pages.append(("listing", self.listing(name: name, canUpload: canUpload, canDelete: canDelete)))
        }
        pages.append(("empty listing", self.page(name: name, canUpload: true, canDelete: true).rendered([])))
        pages.append(("delete", DeletePage(name: name, postURL: "/a?delete", backURL: "/").render()))
        pages.append(("error", ErrorPage(statusCode: 404, title: text, detail: text, backURL: "/").render()))
        return pages
    }

    /// A page with a folder, a file, and a file that no address reaches.
    static func listing(name: [UInt8], canUpload: Bool, canDelete: Bool) -> [UInt8] {
        let entries = [(true, "/f/"), (false, "/f"), (false, "")].map { isFolder, url in
            ListingPage.Entry(
                name: name, url: url, deleteURL: url.isEmpty ? "" : "/delete/f", isFolder: isFolder, size: 1536,
                modifiedSeconds: 1_796_023_509)
        }
        return self.page(name: name, canUpload: canUpload, canDelete: canDelete).rendered(entries)
    }

    static func page(name: [UInt8], canUpload: Bool, canDelete: Bool) -> ListingPage {
        ListingPage(
            title: String(decoding: name, as: UTF8.self), path: [(name, "/p/"), (name, "/p/q/")], uploadURL: "/p/q/",
            maxSizeText: String(decoding: name, as: UTF8.self), maxFiles: 9, canUpload: canUpload, canDelete: canDelete)
    }
}

extension ListingPage {
    func rendered(_ entries: [Entry]) -> [UInt8] {
        var bytes: [UInt8] = []
        self.render(entries) { bytes += $0 }
        return bytes
    }
}
