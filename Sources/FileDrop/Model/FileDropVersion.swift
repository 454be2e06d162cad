public enum FileDropVersion { public static let current = "0.1.0" }
