import Models
import Workers

/// Reads one document of words: `+late` is an image that only the end completes, `!` is damage.
final class FakeParser: FeedParsing {
  private let warnings: [String]
  private var late: [FeedImage] = []
  private var isEmpty = true

  init(warnings: [String]) { self.warnings = warnings }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedImage] {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
    isEmpty = isEmpty && words.isEmpty
    guard !words.contains("!") else { throw .malformed("exclamation mark") }
    late += words.filter { $0.hasPrefix("+") }.map { FeedImage(named: String($0.dropFirst())) }
    return words.filter { !$0.hasPrefix("+") }.map { FeedImage(named: $0) }
  }

  func finish() throws(FeedError) -> FeedDocument {
    guard !isEmpty else { throw .notAFeed(looksLike: "an empty file") }
    return FeedDocument(format: .json, title: "Words", images: late, warnings: warnings)
  }
}
