/// Paths that lead out of a folder, or to what clients must not see of it, and what each is answered with.
public enum HostilePaths {
    /// Paths that have an element which is none.
    private static let malformed = [
        "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2Fetc%2Fpasswd", "/a/../../etc/passwd", "/../etc/passwd",
        "//etc/passwd", "/./etc/passwd", "/%2e/secret.txt", "/..%2fDROP-secret/x", "/../DROP-secret/x",
        "/sub/../../DROP-secret/x", "/%00", "/in.txt%00.html", "/..", "/.", "/sub/..", "/sub/.", "/.%2e/.%2e/etc/passwd",
        "/sub%2f..%2f..%2fsecret.txt", "/%2e%2e", "/..%00/secret.txt",
    ]
    /// Names that clients do not see.
    private static let hidden = ["/..%5c..%5cetc%5cpasswd", "/.uvdrop", "/.uvdrop/", "/.hidden", "/%2Ehidden"]
    /// Paths into folders that are not there, as far as clients know.
    private static let absent = [
        "/..;/secret.txt", "/%c0%ae%c0%ae/secret.txt", "/.%252e/.%252e/etc/passwd", "/%252e%252e/secret.txt", "/%2Euvdrop/x",
    ]

    /// Links that lead out of the folder, to itself, or by `/proc`, and what lies behind them.
    public static let linksOut = ["/l.txt", "/up.txt", "/dir/x", "/dir/", "/loop", "/proc/passwd"]

    /// What each of `requests` carries: the user agent of a tool for which a plain link deletes.
    public static let fields = [("User-Agent", "curl/8.5.0")]

    /// Every path by every method, and the status of its answer.
    public static let requests: [(method: String, target: String, status: Int)] = {
        // A PUT into a folder that is not there conflicts with the folder's state (RFC 4918 section 9.7.1).
        let table =
            Self.malformed.map { ($0, 400, 400) } + Self.hidden.map { ($0, 404, 400) } + Self.absent.map { ($0, 404, 409) }
        return table.flatMap { path, status, putStatus in
            [
                ("GET", path, status), ("HEAD", path, status), ("DELETE", path, status), ("PUT", path, putStatus),
                ("POST", "/delete" + path, status), ("GET", "/delete" + path, status),
            ]
        }
    }()

    /// Makes the folder `DROP`, and around it what must stay out of reach: whatever holds `SECRET`.
    public static func fill(_ outer: TemporaryFolder) throws {
        for name in ["DROP", "DROP/sub", "DROP-secret", "elsewhere"] { try outer.makeFolder(name) }
        for name in ["secret.txt", "DROP-secret/x", "DROP/.hidden", "target.txt", "elsewhere/x"] {
            try outer.write(name, "SECRET")
        }
        try outer.write("DROP/in.txt", "inside")
        try outer.write("DROP/sub/own.txt", "own")
        try outer.makeLink("DROP/l.txt", to: outer.path(of: "target.txt"))
        try outer.makeLink("DROP/up.txt", to: "../target.txt")
        try outer.makeLink("DROP/dir", to: "../elsewhere")
        try outer.makeLink("DROP/inside.txt", to: "sub/own.txt")
        try outer.makeLink("DROP/loop", to: "loop")
        try outer.makeLink("DROP/proc", to: "/proc/self/root/etc")
    }
}
