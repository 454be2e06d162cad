import Testing

@testable import FileDrop

@Suite("Pages")
struct PageTests {
    static let name = Array("photo.jpg".utf8)

    @Test("hold no script, no inline style, and nothing from another host")
    func selfContained() {
        for (_, bytes) in SamplePages.all(name: Self.name) {
            for tag in Markup(bytes).tags {
                #expect(!["script", "style", "iframe", "base", "object"].contains(tag.name))
                for (attribute, value) in tag.attributes {
                    #expect(attribute != "style" && !attribute.hasPrefix("on"))
                    if ["href", "src", "action"].contains(attribute) { #expect(value.hasPrefix("/") && !value.hasPrefix("//")) }
                }
            }
        }
    }

    @Test("link only assets that the binary holds")
    func assets() {
        for (_, bytes) in SamplePages.all(name: Self.name) {
            let tags = Markup(bytes).tags.filter { $0.name == "link" || $0.name == "img" }
            let links = tags.compactMap { $0.value("href") ?? $0.value("src") }
            #expect(links.count >= 2)
            for link in links {
                #expect(link.hasPrefix(AssetCatalog.pathPrefix))
                #expect(AssetCatalog.lookup(String(link.dropFirst(AssetCatalog.pathPrefix.count))) != nil)
            }
        }
    }

    @Test(
        "serve their assets as what they are, loading nothing further",
        arguments: [
            ("style.css", "text/css; charset=utf-8"), ("favicon.svg", "image/svg+xml"),
        ])
    func asset(_ name: String, _ mediaType: String) throws {
        let asset = try #require(AssetCatalog.lookup(name))
        #expect(asset.mediaType == mediaType)
        let text = try #require(String(validating: asset.bytes, as: UTF8.self))
        for part in ["@import", "url(http", "url(/", "href=", "<script", "<style"] { #expect(!text.contains(part)) }
        #expect(text.contains(name == "style.css" ? "prefers-reduced-motion" : "<svg"))
    }

    @Test("know no other assets", arguments: ["", "style.css/", "../style.css", "STYLE.CSS", "style.css\u{301}", "x"])
    func unknownAsset(_ name: String) { #expect(AssetCatalog.lookup(name) == nil) }

    @Test("let files be downloaded and folders be opened")
    func downloads() {
        let page = Markup(SamplePages.listing(name: Self.name, canUpload: true, canDelete: true))
        let links = page.tags.filter { $0.name == "a" && $0.value("class") == "name" }
        #expect(links.map { $0.value("href") } == ["/f/", "/f"])
        #expect(links.map { $0.value("download") } == [nil, ""])
        #expect(page.texts(of: "time").allSatisfy { $0 == "30 Nov 2026, 07:25 UTC" })
        #expect(page.tags.filter { $0.name == "time" }.allSatisfy { $0.value("datetime") == "2026-11-30T07:25:09Z" })
    }

    @Test("offer uploading and deleting only where they are allowed", arguments: [true, false], [true, false])
    func rights(_ canUpload: Bool, _ canDelete: Bool) throws {
        let page = Markup(SamplePages.listing(name: Self.name, canUpload: canUpload, canDelete: canDelete))
        let forms = page.tags.filter { $0.name == "form" }
        #expect(forms.count == (canUpload ? 1 : 0) + (canDelete ? 2 : 0))
        let inputs = page.tags.filter { $0.name == "input" }
        #expect(inputs.count == (canUpload ? 1 : 0))
        guard canUpload else { return }
        #expect(forms[0].value("enctype") == "multipart/form-data")
        let input = try #require(inputs.first)
        #expect(input.value("type") == "file" && input.value("name") == "file")
        #expect(input.value("multiple") == "" && input.value("required") == "")
    }

    @Test("leave in pieces that are the whole page together")
    func pieces() {
        let entry = ListingPage.Entry(name: Self.name, url: "/f", deleteURL: "", isFolder: false, size: 1, modifiedSeconds: 0)
        var pieces: [[UInt8]] = []
        SamplePages.page(name: Self.name, canUpload: false, canDelete: false)
            .render(repeatElement(entry, count: 5000)) { pieces.append($0) }
        #expect(pieces.count > 5)
        #expect(pieces.allSatisfy { $0.count < 80 << 10 })
        let page = Markup(Array(pieces.joined()))
        #expect(page.tags.count { $0.name == "a" && $0.value("class") == "name" } == 5000)
        #expect(page.tags.count { $0.name == "main" } == 1)
    }

    @Test("say in words that a folder is empty")
    func empty() {
        let page = SamplePages.page(name: Self.name, canUpload: false, canDelete: false).rendered([])
        #expect(Markup(page).texts(of: "p").contains("Nothing here yet."))
    }

    @Test("forbid scripts and frames by policy")
    func policy() {
        let policy = PageSecurity.contentSecurityPolicy
        for part in ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe") && !policy.contains("script"))
    }
}
