import Foundation
import Models
import Testing
import Workers

/// Every document there is, damaged in every way there is, by samples that are always the same.
///
/// Large documents are sampled less: what matters is the variety of documents.
struct DamageTests {
  @Test(arguments: try documents())
  func `keeps what came before a cut`(_ name: String) throws {
    let bytes = try ReadDocument.bytes(of: name)
    guard let whole = outcome(of: bytes) else { return }
    var random = SeededGenerator(seed: 1)

    for _ in 0..<samples(for: bytes) {
      let length = Int.random(in: 0..<bytes.count, using: &random)
      guard let part = outcome(of: Array(bytes.prefix(length))) else { continue }
      #expect(part.images.count <= whole.images.count, "cut at \(length)")
      #expect(!part.document.listsEverything, "cut at \(length)")
      let complete = Self.completeEntries(of: part.images)
      #expect(whole.originals.starts(with: complete), "cut at \(length)")
    }
  }

  @Test(arguments: try documents())
  func `survives any byte that is wrong, however the bytes come`(_ name: String) throws {
    let bytes = try ReadDocument.bytes(of: name)
    var random = SeededGenerator(seed: 2)

    for _ in 0..<samples(for: bytes) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        damaged[place] = UInt8.random(in: 0...255, using: &random)
      }
      let chunk = Int.random(in: 1...3000, using: &random)
      let whole = outcome(of: damaged)
      #expect(outcome(of: damaged, chunk: chunk) == whole, "chunks of \(chunk)")
      #expect((whole?.images.count ?? 0) <= Self.bound(of: bytes))
    }
  }

  @Test(arguments: try documents())
  func `survives parts that are missing or come twice`(_ name: String) throws {
    let bytes = try ReadDocument.bytes(of: name)
    var random = SeededGenerator(seed: 3)

    for _ in 0..<samples(for: bytes) {
      let first = Int.random(in: 0..<bytes.count, using: &random)
      let second = Int.random(in: 0..<bytes.count, using: &random)
      let spliced = Array(bytes[..<first] + bytes[second...])
      #expect((outcome(of: spliced)?.images.count ?? 0) <= Self.bound(of: spliced))
    }
  }

  /// The addresses in all entries but the last, which may have lost a part.
  private static func completeEntries(of images: [FeedImage]) -> [String] {
    guard let last = images.last else { return [] }
    let rest = images.reversed().drop { $0.entryID == last.entryID }
    return rest.reversed().map(\.originalAddress.text)
  }

  /// What reading gives; nil when it fails, as it may.
  private func outcome(of bytes: [UInt8], chunk: Int = .max) -> ReadDocument? {
    do {
      return try ReadDocument(bytes, chunk: chunk)
    } catch is FeedError {
      return nil
    } catch {
      Issue.record("only a FeedError may be thrown: \(error)")
      return nil
    }
  }

  private func samples(for bytes: [UInt8]) -> Int { max(2, min(24, 60_000 / (bytes.count + 1))) }

  /// Every image takes some bytes to name; a packed document is small for what is in it.
  private static func bound(of bytes: [UInt8]) -> Int { max(64, bytes.count / 8) }

  private static func documents() throws -> [String] {
    let folder = Bundle.module.bundleURL.appending(path: "Documents")
    let files = FileManager.default.enumerator(atPath: folder.path)
    let names = files?.compactMap { $0 as? String } ?? []
    return names.filter { !$0.hasSuffix(".md") && $0.contains(".") }.sorted()
  }
}
