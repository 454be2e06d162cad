/// The media type a file is served as, judged by its name alone; contents are never sniffed.
public struct MediaType {
    /// What nothing is known about.
    public static let unknown = "application/octet-stream"
    private static let plainText = "text/plain; charset=utf-8"

    /// Images that are pixels only. SVG is a document with scripts and is not among them.
    private static let inlineImages: Set<String> = [
        "image/apng", "image/avif", "image/bmp", "image/gif", "image/heic", "image/heif", "image/jpeg", "image/jxl",
        "image/png", "image/tiff", "image/vnd.microsoft.icon", "image/webp",
    ]

    /// The value of `Content-Type`, with `charset=utf-8` for text.
    ///
    /// The extension is what follows the last dot, whatever its case; a dot that begins the name starts none.
    public static func of(name: [UInt8]) -> String {
        let lower = name.map(ASCII.lowercased)
        guard let dot = lower.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
            return self.textNames.contains(String(decoding: lower, as: UTF8.self)) ? self.plainText : self.unknown
        }
        let ending = String(decoding: lower[dot...].dropFirst(), as: UTF8.self)
        return self.byExtension[ending] ?? self.unknown
    }

    /// Whether a browser may show it in the server's origin: raster images, audio, video, PDF and plain text.
    /// Everything that could run a script, and everything unknown, is to be saved instead.
    public static func showsInline(_ type: String) -> Bool {
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }.map(ASCII.lowercased)
        let name = String(decoding: ASCII.trimmed(essence[...]), as: UTF8.self)
        if name == "text/plain" || name == "application/pdf" || self.inlineImages.contains(name) { return true }
        guard name.hasPrefix("audio/") || name.hasPrefix("video/") else { return false }
        let subtype = name.utf8.dropFirst("audio/".utf8.count)
        return !subtype.isEmpty && subtype.allSatisfy(ASCII.isToken)
    }

    private static let byExtension: [String: String] = {
        var table: [String: String] = [:]
        for (type, endings) in MediaType.endings {
            for ending in endings.split(separator: " ") { table[String(ending)] = type }
        }
        return table
    }()
}
