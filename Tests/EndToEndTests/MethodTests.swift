import TestSupport
import Testing

@Suite("methods")
struct MethodTests {
    @Test(
        "that are named are those that what is there knows, for OPTIONS and for every refusal",
        arguments: [
            ("/", "GET, HEAD, POST, OPTIONS"), ("/sub/", "GET, HEAD, POST, DELETE, OPTIONS"),
            ("/sub", "GET, HEAD, POST, DELETE, OPTIONS"), ("/f", "GET, HEAD, PUT, DELETE, OPTIONS"),
            ("/free", "GET, HEAD, POST, PUT, DELETE, OPTIONS"), ("/free/", "GET, HEAD, POST, DELETE, OPTIONS"),
            ("/delete/f", "GET, HEAD, POST, OPTIONS"), ("/-/assets/style.css", "GET, HEAD, OPTIONS"),
        ])
    func allowed(_ target: String, _ methods: String) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        try folder.write("f", "f")
        let server = try ServerProcess(folder.path)
        let options = try server.ask("OPTIONS", target)
        #expect(options.status == 204 && options["allow"] == methods, "\(options["allow"] ?? "")")
        for method in ["PATCH", "PROPFIND", "COPY"] {
            let reply = try server.ask(method, target)
            #expect(reply.status == 405 && reply["allow"] == methods, "\(method): \(reply["allow"] ?? "")")
        }
        // Whatever is not named is refused as a method or as an address, and what is named is no 405.
        let form = Form.one("new", "new")
        let fields = [("Content-Type", form.contentType), ("Accept", "application/json")]
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE"] {
            let body = method == "POST" ? form.body : method == "PUT" ? bytes("x") : nil
            let reply = try server.ask(method, target, fields, body: body)
            let isNamed = methods.split(separator: ", ").contains { $0 == method }
            #expect((reply.status == 405) == (reply["allow"] != nil))
            #expect(isNamed ? reply.status != 405 : (400..<500).contains(reply.status), "\(method)")
            if reply.status == 405 { #expect(reply["allow"] == methods, "\(method): \(reply["allow"] ?? "")") }
        }
    }
}
