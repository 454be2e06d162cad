/// Characters of names that a reader does not see, or is misled by.
extension Unicode.Scalar {
    /// Embeds text in a direction, overrides that, or isolates it (UAX #9): what stands behind it is shown elsewhere, an ending too.
    var turnsDirection: Bool { (0x202A...0x202E).contains(self.value) || (0x2066...0x2069).contains(self.value) }

    /// Leaves nothing on the screen by itself. Control characters are none of these: pages show them by their pictures.
    var isUnseen: Bool {
        guard self.properties.generalCategory != .control else { return false }
        return self.properties.isWhitespace || self.properties.isDefaultIgnorableCodePoint || self.value == 0x2800
    }

    /// Leaves nothing on the screen, and belongs to what stands beside it: it joins letters or emoji, or chooses how they look, or is a
    /// mark of direction that many names in Hebrew and Arabic have.
    var shapesOthers: Bool {
        switch self.value {
        case 0x061C, 0x180B...0x180F, 0x200C...0x200F, 0xFE00...0xFE0F, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }
}
