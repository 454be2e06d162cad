/// The document around every page: head, style sheet, icon, and one `main` element.
enum PageFrame {
    /// - Parameter title: for the browser's tab, escaped here.
    static func render(title: String, content: (inout HTML) -> Void) -> [UInt8] {
        var html = HTML()
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
        content(&html)
        html.markup("</main>\n</body>\n</html>\n")
        return html.bytes
    }
}
