extension MediaType {
    /// Whole names, in lower case, of text files that go without an extension.
    static let textNames: Set<String> = [
        "authors", "changelog", "changes", "contributing", "copying", "dockerfile", "gemfile", "install", "license",
        "makefile", "news", "notice", "rakefile", "readme", "todo", "vagrantfile",
    ]

    /// Types and the extensions, in lower case, that stand for them. Each extension occurs once.
    static let endings: [(type: String, endings: String)] = [
        // Web. The types are true, so browsers will run them if shown: `showsInline` says no to all of these.
        ("text/html; charset=utf-8", "html htm"),
        ("application/xhtml+xml; charset=utf-8", "xhtml xht"),
        ("text/css; charset=utf-8", "css"),
        ("text/javascript; charset=utf-8", "js mjs cjs"),
        ("image/svg+xml; charset=utf-8", "svg"),
        ("application/xml; charset=utf-8", "xml xsl xslt xsd rng"),
        ("application/atom+xml; charset=utf-8", "atom"),
        ("application/rss+xml; charset=utf-8", "rss"),
        ("application/json; charset=utf-8", "json map"),
        ("application/ld+json; charset=utf-8", "jsonld"),
        ("application/geo+json; charset=utf-8", "geojson"),
        ("application/manifest+json; charset=utf-8", "webmanifest"),
        ("application/wasm", "wasm"),

        // Text and source. Plain, so that it can be read in place.
        (
            "text/plain; charset=utf-8",
            """
            txt text log md markdown rst adoc asciidoc org tex bib nfo diff patch conf cfg cnf ini toml yaml yml env \
            properties lock gitignore editorconfig jsonl ndjson json5 swift c h cc cpp cxx hh hpp hxx m mm rs go py pyi \
            rb pl pm php java kt kts scala groovy gradle clj cljs ex exs erl hs ml mli fs fsx lua r jl dart zig nim \
            d pas asm s v sv vhd vhdl sql sh bash zsh fish bat cmd ps1 psm1 vb cs tsx jsx vue svelte scss sass less \
            styl graphql gql proto thrift cmake mk make awk sed tcl el lisp scm rkt f f90 f95 ipynb tf hcl nix csproj \
            sln srt sub ass asc pem pub
            """
        ),
        ("text/csv; charset=utf-8", "csv"),
        ("text/tab-separated-values; charset=utf-8", "tsv"),
        ("text/calendar; charset=utf-8", "ics ical"),
        ("text/vcard; charset=utf-8", "vcf vcard"),
        ("text/vtt; charset=utf-8", "vtt"),

        // Images.
        ("image/png", "png"),
        ("image/apng", "apng"),
        ("image/jpeg", "jpg jpeg jpe jfif pjpeg"),
        ("image/gif", "gif"),
        ("image/webp", "webp"),
        ("image/avif", "avif"),
        ("image/heic", "heic hif"),
        ("image/heif", "heif"),
        ("image/jxl", "jxl"),
        ("image/bmp", "bmp dib"),
        ("image/tiff", "tif tiff"),
        ("image/vnd.microsoft.icon", "ico cur"),
        ("image/vnd.adobe.photoshop", "psd"),
        ("image/x-adobe-dng", "dng"),
        ("image/x-canon-cr2", "cr2"),
        ("image/x-nikon-nef", "nef"),
        ("image/x-sony-arw", "arw"),
        ("application/postscript", "ai eps ps"),

        // Audio.
        ("audio/mpeg", "mp3 mpga"),
        ("audio/mp4", "m4a m4b"),
        ("audio/aac", "aac"),
        ("audio/ogg", "ogg oga opus spx"),
        ("audio/flac", "flac"),
        ("audio/wav", "wav wave"),
        ("audio/aiff", "aif aiff aifc"),
        ("audio/midi", "mid midi kar"),
        ("audio/webm", "weba"),
        ("audio/amr", "amr"),
        ("audio/x-ms-wma", "wma"),
        ("audio/x-matroska", "mka"),
        ("audio/x-caf", "caf"),

        // Video. Playlists name other files and are no video.
        ("video/mp4", "mp4 m4v mp4v"),
        ("video/webm", "webm"),
        ("video/quicktime", "mov qt"),
        ("video/x-matroska", "mkv"),
        ("video/ogg", "ogv"),
        ("video/mpeg", "mpeg mpg mpe m2v"),
        ("video/mp2t", "ts mts m2ts"),
        ("video/3gpp", "3gp 3gpp"),
        ("video/3gpp2", "3g2"),
        ("video/x-msvideo", "avi"),
        ("video/x-ms-wmv", "wmv"),
        ("video/x-flv", "flv"),
        ("application/vnd.apple.mpegurl", "m3u8 m3u"),

        // Documents.
        ("application/pdf", "pdf"),
        ("application/rtf", "rtf"),
        ("application/epub+zip", "epub"),
        ("application/vnd.amazon.mobi8-ebook", "azw3"),
        ("application/x-mobipocket-ebook", "mobi prc"),
        ("image/vnd.djvu", "djvu djv"),
        ("application/msword", "doc dot"),
        ("application/vnd.ms-excel", "xls xlt xla"),
        ("application/vnd.ms-powerpoint", "ppt pps pot"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.template", "dotx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.template", "xltx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.slideshow", "ppsx"),
        ("application/vnd.ms-word.document.macroenabled.12", "docm"),
        ("application/vnd.ms-excel.sheet.macroenabled.12", "xlsm"),
        ("application/vnd.ms-powerpoint.presentation.macroenabled.12", "pptm"),
        ("application/vnd.ms-outlook", "msg"),
        ("application/vnd.visio", "vsd vsdx"),
        ("application/vnd.oasis.opendocument.text", "odt"),
        ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
        ("application/vnd.oasis.opendocument.presentation", "odp"),
        ("application/vnd.oasis.opendocument.graphics", "odg"),
        ("application/vnd.oasis.opendocument.formula", "odf"),
        ("application/vnd.apple.pages", "pages"),
        ("application/vnd.apple.numbers", "numbers"),
        ("application/vnd.apple.keynote", "key"),
        ("application/x-hwp", "hwp"),
        ("application/hwp+zip", "hwpx"),
        ("message/rfc822", "eml mht mhtml"),
        ("application/mbox", "mbox"),

        // Archives and packages.
        ("application/zip", "zip cbz"),
        ("application/gzip", "gz tgz"),
        ("application/x-bzip2", "bz2 tbz tbz2"),
        ("application/x-xz", "xz txz"),
        ("application/zstd", "zst tzst"),
        ("application/x-lzip", "lz"),
        ("application/x-lzma", "lzma"),
        ("application/x-lz4", "lz4"),
        ("application/x-brotli", "br"),
        ("application/x-tar", "tar"),
        ("application/x-7z-compressed", "7z"),
        ("application/vnd.rar", "rar cbr"),
        ("application/vnd.ms-cab-compressed", "cab"),
        ("application/x-cpio", "cpio"),
        ("application/x-iso9660-image", "iso"),
        ("application/x-apple-diskimage", "dmg"),
        ("application/java-archive", "jar war ear"),
        ("application/vnd.android.package-archive", "apk"),
        ("application/vnd.debian.binary-package", "deb"),
        ("application/x-rpm", "rpm"),
        ("application/x-xpinstall", "xpi"),
        ("application/x-msi", "msi"),
        ("application/vnd.microsoft.portable-executable", "exe dll"),
        ("application/x-bittorrent", "torrent"),
        ("application/vnd.sqlite3", "sqlite sqlite3"),

        // Fonts.
        ("font/woff", "woff"),
        ("font/woff2", "woff2"),
        ("font/ttf", "ttf"),
        ("font/otf", "otf"),
        ("font/collection", "ttc"),

        // Models and data with a type of their own.
        ("model/gltf+json", "gltf"),
        ("model/gltf-binary", "glb"),
        ("model/stl", "stl"),
        ("model/obj", "obj"),
        ("application/gpx+xml; charset=utf-8", "gpx"),
        ("application/vnd.google-earth.kml+xml; charset=utf-8", "kml"),
        ("application/vnd.google-earth.kmz", "kmz"),
        ("application/vnd.uvdrop.meme+json", "meme"),
    ]
}
