/// Text from outside on its way to a terminal.
public enum TerminalText {
    /// The same text with each control character (C0, DEL, C1) shown as `?`, so that a name cannot steer the terminal.
    public static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            safe.append(isControl ? "?" : scalar)
        }
        return String(safe)
    }
}
