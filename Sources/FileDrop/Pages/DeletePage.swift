/// Asks before something is deleted: following a link must never delete, posting this form does.
struct DeletePage: Sendable {
    /// The name to delete, any bytes.
    var name: [UInt8]
    var postURL: String
    var backURL: String

    /// The page as UTF-8.
    func render() -> [UInt8] {
        PageFrame.render(title: "Delete \(VisibleName.text(self.name))?") { html in
            html.markup("<section class=\"card notice\">\n<h1>Delete ")
            html.name(self.name)
            html.markup("?</h1>\n<p>It will be gone for everyone. This cannot be undone.</p>\n")
            html.markup("<form class=\"actions\" method=\"post\"")
            html.reference("action", self.postURL)
            html.markup("><button class=\"button danger\" type=\"submit\">Delete</button><a class=\"button quiet\"")
            html.reference("href", self.backURL)
            html.markup(">Keep it</a></form>\n</section>\n")
        }
    }
}
