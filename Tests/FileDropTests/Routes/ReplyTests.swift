import Testing
import UVServer

@testable import FileDrop

@Suite("An answer that is no file") struct ReplyTests {
    @Test(
        "of an error says, in whatever form, that it is for this Accept and must be asked for anew",
        arguments: [.page, .json, .text] as [Negotiation])
    func error(_ form: Negotiation) {
        let fields = Reply.error(.notFound, as: form).fields
        // Caches may keep a 404 as long as they like unless they are told (RFC 9110 section 15.1).
        #expect(fields[.cacheControl] == "no-cache")
        #expect(fields[.vary] == "Accept")
    }

    @Test("that leads elsewhere must be asked for anew: what is a folder today may be a file tomorrow")
    func redirect() {
        #expect(Reply.redirect(.permanentRedirect, to: "/a/").fields[.cacheControl] == "no-cache")
        #expect(Reply.redirect(.seeOther, to: "/", text: "stored a").fields[.cacheControl] == "no-cache")
    }
}
