import Testing
import UVServer

@Suite("Queries")
struct QueryTests {
    @Test(
        "gives every value of a name",
        arguments: [
            ("q=a", "q", ["a"]), ("q=a&q=b", "q", ["a", "b"]), ("q", "q", [""]), ("q=", "q", [""]), ("", "q", []),
            ("x=1&&q=2&", "q", ["2"]), ("q=a=b", "q", ["a=b"]), ("q=a+b", "q", ["a b"]), ("q=a%2Bb", "q", ["a+b"]),
            ("q=a%20b", "q", ["a b"]), ("%71=1", "q", ["1"]), ("q=%2541", "q", ["%41"]), ("q=50%", "q", ["50%"]),
            ("q=%zz+1", "q", ["%zz 1"]), ("Q=1", "q", []), ("=1", "", ["1"]), ("q=한", "q", ["한"]), ("qq=1", "q", []),
        ] as [(String, String, [String])])
    func values(_ query: String, _ name: String, _ expected: [String]) {
        #expect(Query(query.utf8).values(name) == expected.map { Array($0.utf8) })
    }

    @Test(
        "knows which names occur",
        arguments: [
            ("view", true), ("view=", true), ("view=1", true), ("a&view", true), ("views", false), ("a=view", false), ("", false),
        ])
    func has(_ query: String, _ expected: Bool) {
        #expect(Query(query.utf8).has("view") == expected)
    }
}
