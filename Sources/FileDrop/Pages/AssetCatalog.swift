/// The files the pages need, held in the binary: nothing has to lie beside it, nothing comes from another host.
enum AssetCatalog {
    struct Asset: Sendable {
        let mediaType: String
        let bytes: [UInt8]
    }

    /// The path the pages' links begin with.
    static let pathPrefix = "/-/assets/"

    /// - Parameter name: what follows `pathPrefix`.
    static func lookup(_ name: String) -> Asset? {
        switch name {
        case "style.css": Asset(mediaType: "text/css; charset=utf-8", bytes: PackageResources.style_css)
        case "favicon.svg": Asset(mediaType: "image/svg+xml", bytes: PackageResources.favicon_svg)
        default: nil
        }
    }
}
