/// What our own pages may do in a browser.
enum PageSecurity {
    /// The value of `Content-Security-Policy` for every page: our style sheet, our icon, forms to us; no script, no frame.
    static let contentSecurityPolicy =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
