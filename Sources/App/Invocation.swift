internal import FileDrop

/// What a command line asks for.
enum Invocation: Equatable {
    case serve(Configuration)
    case help
    case version
}
