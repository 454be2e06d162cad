/// How the request log is written: a line for people, or one JSON object a line.
public enum LogFormat: String, CaseIterable, Sendable {
    case text, json
}
