/// A name that is safe as one element of a path in the drop folder. Compares bytes: two normal forms are two names.
public struct DropName: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 255 bytes, neither NUL nor `/`, not `.` and not `..`. Not necessarily UTF-8.
    public let bytes: [UInt8]

    /// The longest name that Linux file systems take, in bytes.
    public static let longest = 255

    /// What the folder for the server's own files is called inside the drop folder, unless another one is given.
    static let stateFolder = ".uvdrop"

    /// `nil` when `untrusted` is no name.
    public init?(_ untrusted: some Sequence<UInt8>) {
        let bytes = [UInt8](untrusted)
        guard (1...Self.longest).contains(bytes.count), bytes != [0x2E], bytes != [0x2E, 0x2E] else { return nil }
        guard bytes.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "/") }) else { return nil }
        self.bytes = bytes
    }

    /// The name that a new file called `bytes` gets: composed (NFC).
    /// - Parameter allowHidden: whether it may begin with a dot.
    /// - Throws: `.nameTooLong` past 255 bytes, `.badName` for what is no UTF-8, holds a control character, one that turns the direction
    ///   of text, a slash or a backslash, shows nothing, or is hidden, empty, `.` or `..`.
    public static func forNew(_ bytes: [UInt8], allowHidden: Bool) throws(StoreError) -> DropName {
        guard !bytes.isEmpty else { throw .badName(reason: "The file has no name. Give it one.") }
        // Composing never makes a name a third as long, and nothing long is worth the work.
        guard bytes.count <= 4 * self.longest else { throw .nameTooLong }
        guard let text = String(validating: bytes, as: UTF8.self), let composed = Normalization.composed(bytes) else {
            throw .badName(reason: "The name is not valid UTF-8. Rename the file, then send it again.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .badName(reason: "The name holds a control character. Rename the file, then send it again.")
        }
        guard !text.unicodeScalars.contains(where: { $0.turnsDirection }) else {
            throw .badName(reason: "The name holds a character that turns the direction of text. Rename the file first.")
        }
        guard !text.unicodeScalars.allSatisfy({ $0.isUnseen }) else {
            throw .badName(reason: "The name has no character that can be seen. Rename the file, then send it again.")
        }
        guard !composed.contains(UInt8(ascii: "/")), !composed.contains(UInt8(ascii: "\\")) else {
            throw .badName(reason: "The name holds a slash or a backslash. Choose one without.")
        }
        guard composed.count <= self.longest else { throw .nameTooLong }
        guard let name = DropName(composed) else { throw .badName(reason: "The name means a folder. Choose another one.") }
        guard allowHidden || !name.isHidden else {
            throw .badName(reason: "The name begins with a dot, which hides it. Choose one that does not.")
        }
        return name
    }

    /// Begins with a dot.
    public var isHidden: Bool { self.bytes.first == UInt8(ascii: ".") }

    /// Belongs to the program when it is the first element of a path: `-` and `delete`.
    public var isReserved: Bool { self.bytes == [UInt8(ascii: "-")] || self.bytes == Array("delete".utf8) }

    /// Holds the server's own files when it is the first element of a path.
    var isStateFolder: Bool { self.bytes == Array(Self.stateFolder.utf8) }

    /// For people: bytes that are no UTF-8 are replaced.
    public var description: String { String(decoding: self.bytes, as: UTF8.self) }
}
