/// The files the pages need, held in the binary: nothing has to lie beside it, nothing comes from another host.
enum AssetCatalog {
    struct Asset: Sendable {
        let mediaType: String
        let bytes: [UInt8]
        /// Differs when the bytes do: their FNV-1a hash, in base 36.
        let version: String

        init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
            let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            self.version = String(hash, radix: 36)
        }
    }

    /// The path the pages' links begin with.
    static let pathPrefix = "/-/assets/"

    private static let style = Asset(mediaType: "text/css; charset=utf-8", bytes: PackageResources.style_css)
    private static let icon = Asset(mediaType: "image/svg+xml", bytes: PackageResources.favicon_svg)

    /// - Parameter name: what follows `pathPrefix`.
    static func lookup(_ name: String) -> Asset? {
        switch name {
        case "style.css": self.style
        case "favicon.svg": self.icon
        default: nil
        }
    }
}
