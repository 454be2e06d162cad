/// What a browser shows when something did not work: what happened, what to do, and a way back.
struct ErrorPage: Sendable {
    /// The HTTP status, shown small.
    var statusCode: Int
    /// What happened, in a few words.
    var title: String
    /// A sentence that says what to do. No path of the disk and no errno belongs here.
    var detail: String
    /// Where the files are; `nil` when no link leads there.
    var backURL: String?

    /// The page as UTF-8.
    func render() -> [UInt8] {
        PageFrame.render(title: self.title) { html in
            html.markup("<section class=\"card notice\">\n<p class=\"code\">Error ")
            html.text(String(self.statusCode))
            html.markup("</p>\n<h1>")
            html.text(self.title)
            html.markup("</h1>\n<p>")
            html.text(self.detail)
            html.markup("</p>\n")
            if let backURL = self.backURL {
                html.markup("<p class=\"actions\"><a class=\"button quiet\"")
                html.reference("href", backURL)
                html.markup(">Back to the files</a></p>\n")
            }
            html.markup("</section>\n")
        }
    }
}
