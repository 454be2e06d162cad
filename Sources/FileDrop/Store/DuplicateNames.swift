/// The names to try when one is taken: `photo.jpg`, `photo (1).jpg`, `photo (2).jpg` and so on.
struct DuplicateNames {
    private let stem: [UInt8]
    /// With its dot, and with the `.tar` before it; empty when there is none.
    private let ending: [UInt8]
    private let name: DropName

    /// What follows the last dot counts as an extension up to this many bytes.
    private static let longestExtension = 16

    init(_ name: DropName) {
        self.name = name
        let bytes = name.bytes
        let dot = UInt8(ascii: ".")
        guard let last = bytes.lastIndex(of: dot), last > 0, bytes.count - last - 1 <= Self.longestExtension,
            last + 1 < bytes.count, !bytes[last...].contains(UInt8(ascii: " "))
        else {
            self.stem = bytes
            self.ending = []
            return
        }
        var cut = last
        let tar = Array(".tar".utf8)
        if bytes[..<last].suffix(tar.count).elementsEqual(tar), last > tar.count { cut = last - tar.count }
        self.stem = Array(bytes[..<cut])
        self.ending = Array(bytes[cut...])
    }

    /// The name with this number; the name itself for 0. Where it would be too long, its stem gives way, at a
    /// character's boundary.
    func numbered(_ number: Int) -> DropName? {
        guard number > 0 else { return self.name }
        let mark = Array(" (\(number))".utf8)
        var stem = self.stem.prefix(max(0, DropName.longest - mark.count - self.ending.count))
        if stem.count < self.stem.count {
            // Continuation bytes are 10xxxxxx: the first byte left out must begin a character.
            while let end = stem.indices.last, self.stem[end + 1] & 0xC0 == 0x80 { stem.removeLast() }
        }
        return DropName(stem + mark + self.ending)
    }
}
