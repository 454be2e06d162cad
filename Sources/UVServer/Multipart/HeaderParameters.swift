/// A field value with parameters, `value; name=value; name="value"` (RFC 9110 section 5.6.6), parsed as bytes.
///
/// Quotes are honoured before `;` and `=` are looked for. An unquoted value may hold any byte but `;`, `"`, and blanks inside
/// are kept: senders forget to quote boundaries and names. In a quoted value only `\"` is an escape; any other backslash
/// stands for itself, because some senders put whole Windows paths there.
struct HeaderParameters {
    /// What comes before the first `;`, without blanks around it.
    let value: ArraySlice<UInt8>
    /// In the order sent; names are in lower case.
    private(set) var list: [(name: [UInt8], value: [UInt8])] = []

    /// `nil` when a parameter lacks its name or `=`, or a quoted value does not end where it should.
    init?(_ bytes: ArraySlice<UInt8>) {
        let semicolon = UInt8(ascii: ";")
        self.value = ASCII.trimmed(bytes.prefix { $0 != semicolon })
        var rest = bytes.drop { $0 != semicolon }
        while !rest.isEmpty {
            // `rest` begins with a semicolon here.
            rest = rest.dropFirst().drop { $0 == ASCII.space || $0 == ASCII.tab }
            // Empty parameters, and a semicolon at the end, mean nothing.
            guard let first = rest.first else { return }
            if first == semicolon { continue }
            let name = rest.prefix { ASCII.isToken($0) }
            rest = rest[name.endIndex...]
            guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
            rest = rest.dropFirst()
            guard let value = rest.first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.unquoted(&rest) else { return nil }
            self.list.append((name.map { ASCII.lowercased($0) }, value))
        }
    }

    /// How often `name`, in lower case, was sent.
    func count(_ name: StaticString) -> Int {
        self.list.count { ASCII.equalsIgnoringCase($0.name, name) }
    }

    /// The first value sent under `name`, in lower case.
    subscript(_ name: StaticString) -> [UInt8]? {
        self.list.first { ASCII.equalsIgnoringCase($0.name, name) }?.value
    }

    /// Takes a quoted string and the blanks after it; `nil` when it is not closed or something follows it.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        var index = rest.startIndex + 1
        while index < rest.endIndex {
            let byte = rest[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                rest = rest[index...].drop { $0 == ASCII.space || $0 == ASCII.tab }
                return rest.isEmpty || rest.first == UInt8(ascii: ";") ? value : nil
            }
            if byte == UInt8(ascii: "\\"), index < rest.endIndex, rest[index] == UInt8(ascii: "\"") {
                value.append(rest[index])
                index += 1
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func unquoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let raw = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[raw.endIndex...]
        return raw.contains(UInt8(ascii: "\"")) ? nil : [UInt8](ASCII.trimmed(raw))
    }
}
