import Foundation
import Testing

/// What is expected of a document, as a block of `Documents/expectations.txt` says.
struct DocumentExpectation: Sendable, Equatable, CustomTestStringConvertible {
  /// The lines of the block, by what stands before the first colon.
  var facts: [String: String]

  var document: String { facts["document"] ?? "" }
  var kind: String { String(document.prefix { $0 != "/" }) }
  var imageCount: Int { facts["images"].flatMap { Int($0) } ?? 0 }
  var testDescription: String { document }

  /// All blocks of the file; none when it is missing, which is an issue.
  static let all: [DocumentExpectation] = {
    do {
      let text = try String(decoding: ReadDocument.bytes(of: "expectations.txt"), as: UTF8.self)
      return text.components(separatedBy: "\n\n").map(Self.init).filter { !$0.document.isEmpty }
    } catch {
      Issue.record(error)
      return []
    }
  }()

  private init(block: String) {
    facts = [:]
    for line in block.split(separator: "\n") where !line.hasPrefix("#") {
      guard let colon = line.range(of: ": ") else { continue }
      facts[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
    }
  }
}
