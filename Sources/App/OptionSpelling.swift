/// What a typed option means: one of ours, or what users of dufs and miniserve type for the same thing.
enum OptionSpelling: Equatable {
    case option(OptionName)
    /// What other servers must be told to do and this one does unless told otherwise. Accepted without a word.
    case alreadySo
    /// miniserve's `-o`: the policy for taken names when one follows, else `overwrite`.
    case duplicatesOrOverwrite
    /// miniserve's older `--overwrite-files`.
    case overwrite
    /// Known elsewhere and not available here, with the answer for the user.
    case absent(answer: String)

    private static let noAccounts = "there are no accounts and passwords; use --read-only or --bind to say who can do what"
    private static let noTLS = "there is no TLS; put a proxy that speaks it in front"
    private static let noArchives = "folders cannot be downloaded as archives"

    /// The meaning of `--name`; `nil` when nobody uses it.
    static func long(_ name: String) -> OptionSpelling? {
        if let own = OptionName(rawValue: name) { return .option(own) }
        switch name {
        case "interface", "interfaces": return .option(.bind)
        case "upload-files", "rm-files", "allow-all", "allow-upload", "allow-delete", "dirs-first", "verbose": return .alreadySo
        case "overwrite-files": return .overwrite
        case "auth", "auth-file": return .absent(answer: self.noAccounts)
        case "tls-cert", "tls-key": return .absent(answer: self.noTLS)
        case "allow-archive", "enable-tar", "enable-tar-gz", "enable-zip": return .absent(answer: self.noArchives)
        case "allow-symlink": return .absent(answer: "links are followed only while they stay inside the folder")
        case "allow-search": return .absent(answer: "there is no search")
        case "mkdir": return .absent(answer: "folders cannot be made over the network; make them in the folder itself")
        default: return nil
        }
    }

    /// The meaning of `-letter`; `nil` when nobody uses it.
    static func short(_ letter: Character) -> OptionSpelling? {
        switch letter {
        case "p": .option(.port)
        case "b", "i": .option(.bind)
        case "h": .option(.help)
        case "V": .option(.version)
        case "H": .option(.hidden)
        case "t": .option(.title)
        case "A", "u", "R", "v", "D": .alreadySo
        case "o": .duplicatesOrOverwrite
        case "a": .absent(answer: self.noAccounts)
        case "r", "g", "z": .absent(answer: self.noArchives)
        case "U": .absent(answer: "folders cannot be made over the network; make them in the folder itself")
        default: nil
        }
    }

    /// The letters that the help names, for the answer to an unknown one.
    static let shortLetters = ["p", "b", "h", "V", "i", "u", "A", "o"]
}
