import Foundation

/// Reads a dictionary of libFuzzer (https://llvm.org/docs/LibFuzzer.html, "Dictionaries").
enum FuzzWords {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Dictionaries").standardized

  static func read(_ name: String) -> [[UInt8]] {
    let file = folder.appending(path: "\(name).dict")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      return []  // A test then fails.
    }
    return text.split(separator: "\n").filter { $0.first == "\"" }
      .map { word($0.utf8.dropFirst().dropLast()) }
  }

  /// A word without its quotes; `\xAB`, `\\` and `\"` each mean one byte.
  private static func word(_ text: Substring.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      guard escaped == UInt8(ascii: "x") else {
        bytes.append(escaped)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
