package import Foundation

/// The checkout that the tests were built from.
package enum Checkout {
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The words of a set that occur in the Swift code (grep(1)).
  package static func wordsInCode(_ words: Set<String>) throws -> Set<String> {
    if words.isEmpty { return [] }
    let grep = Process()
    grep.executableURL = URL(filePath: "/usr/bin/grep")
    grep.currentDirectoryURL = folder
    grep.arguments =
      ["-rhowF", "--include=*.swift"] + words.flatMap { ["-e", $0] }
      + ["Sources", "Tests", "Fuzzing", "Package.swift"]
    let output = Pipe()
    grep.standardOutput = output
    try grep.run()
    let found = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    grep.waitUntilExit()
    return Set(found.split(separator: "\n").map(String.init))
  }

  package static func text(of path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }
}
