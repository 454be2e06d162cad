// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "uvdrop",
    products: [
        .executable(name: "uvdrop", targets: ["App"]),
        .library(name: "FileDrop", targets: ["FileDrop"]),
        .library(name: "UVServer", targets: ["UVServer"]),
        .executable(name: "uvload", targets: ["LoadGenerator"]),
    ],
    targets: [
        .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "UVServer", dependencies: ["CUV", "CZlib"], swiftSettings: strict),
        .target(
            name: "FileDrop",
            dependencies: ["UVServer", "CUTF8Proc"],
            resources: [.embedInCode("Pages/Web/style.css"), .embedInCode("Pages/Web/favicon.svg")],
            swiftSettings: strict
        ),
        .executableTarget(name: "App", dependencies: ["FileDrop", "UVServer"], swiftSettings: strict),
        .systemLibrary(name: "CMemmem", path: "bench/CMemmem"),
        .executableTarget(
            name: "ScannerBenchmark", dependencies: ["UVServer", "CMemmem"], path: "bench/scanner", swiftSettings: strict),
        .executableTarget(name: "LoadGenerator", dependencies: ["UVServer"], path: "bench/load", swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "UVServerTests", dependencies: ["UVServer", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "FileDropTests", dependencies: ["FileDrop", "UVServer", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "AppTests", dependencies: ["App", "FileDrop"], swiftSettings: strict),
        .testTarget(
            name: "LoadGeneratorTests", dependencies: ["LoadGenerator", "UVServer", "TestSupport"], swiftSettings: strict),
        .systemLibrary(name: "CFaults", path: "Tests/CFaults"),
        .testTarget(
            name: "FaultTests", dependencies: ["CFaults", "TestSupport"], path: "Tests/Faults", swiftSettings: strict),
        .testTarget(name: "EndToEndTests", dependencies: ["App", "LoadGenerator", "TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
