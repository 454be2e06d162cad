/// A name as people are to see it: each character that they would not see, or that turns the direction of the text, as a code such as
/// `\u{202E}`. Names that are already on the disk may hold any.
struct VisibleName: Sendable {
    enum Piece: Equatable, Sendable {
        case text(String)
        case code(String)
    }

    let pieces: [Piece]

    /// - Parameter name: any bytes; what is not UTF-8 shows as U+FFFD.
    init(_ name: [UInt8]) {
        let text = String(decoding: name, as: UTF8.self)
        // Nearly all names are so, and lists have many.
        guard name.contains(where: { $0 >= 0x80 }) || !name.contains(where: { $0 != 0x20 }) else {
            self.pieces = [.text(text)]
            return
        }
        let isUnseen = text.unicodeScalars.allSatisfy { $0.isUnseen || $0.turnsDirection }
        var pieces: [Piece] = []
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint && !scalar.shapesOthers
            guard isUnseen || isHidden || scalar.turnsDirection else {
                plain.append(scalar)
                continue
            }
            if !plain.isEmpty { pieces.append(.text(String(plain))) }
            plain = String.UnicodeScalarView()
            pieces.append(.code("\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"))
        }
        if !plain.isEmpty { pieces.append(.text(String(plain))) }
        self.pieces = pieces
    }

    /// For places where only text can stand.
    static func text(_ name: [UInt8]) -> String {
        self.init(name).pieces.map { piece in
            switch piece {
            case .text(let text), .code(let text): text
            }
        }.joined()
    }
}
