/// The document around every page: head, style sheet, icon, and one `main` element.
enum PageFrame {
    /// - Parameter title: for the browser's tab, escaped here.
    static func render(title: String, content: (inout HTML) -> Void) -> [UInt8] {
        var html = HTML()
        self.begin(title: title, in: &html)
        content(&html)
        self.end(in: &html)
        return html.bytes
    }

    /// Up to the inside of `main`.
    static func begin(title: String, in html: inout HTML) {
        html.markup(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>
            """)
        html.text(title)
        html.markup(
            """
            </title>
            <link rel="icon" href="/-/assets/favicon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/-/assets/style.css">
            </head>
            <body>
            <main>

            """)
    }

    static func end(in html: inout HTML) {
        html.markup("</main>\n</body>\n</html>\n")
    }
}
