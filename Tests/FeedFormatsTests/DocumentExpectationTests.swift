import Foundation
import Models
import Testing
import Workers

struct DocumentExpectationTests {
  @Test func `covers every document of the folders`() throws {
    let folder = Bundle.module.bundleURL.appending(path: "Documents")
    var documents: Set<String> = []
    for kind in ["iiif", "json", "jsonfeed", "opml"] {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.appending(path: kind).path
      )
      for name in names { documents.insert("\(kind)/\(name)") }
    }

    #expect(Set(DocumentExpectation.all.map(\.document)) == documents)
  }

  @Test(arguments: DocumentExpectation.all)
  func `reads a real document as expected`(_ expected: DocumentExpectation) throws {
    #expect(try DocumentExpectation(reading: expected.document) == expected)
  }

  @Test(arguments: DocumentExpectation.all.filter { $0.facts["error"] == nil })
  func `reads the same from odd chunks`(_ expected: DocumentExpectation) throws {
    let bytes = try ReadDocument.bytes(of: expected.document)
    let whole = try ReadDocument(bytes)

    for chunk in [7, 1021] { #expect(try ReadDocument(bytes, chunk: chunk) == whole) }
  }

  @Test(arguments: DocumentExpectation.all.filter { $0.facts["error"] == nil })
  func `keeps what came before the end of a document that is cut off`(
    _ expected: DocumentExpectation
  ) throws {
    let bytes = try ReadDocument.bytes(of: expected.document)
    let whole = try ReadDocument(bytes).originals

    for length in stride(from: 0, to: bytes.count, by: bytes.count / 9 + 1) {
      guard let part = try damaged(Array(bytes.prefix(length))) else { continue }
      #expect(part.originals.count <= whole.count)
      #expect(!part.document.listsEverything)
      #expect(!part.document.flaws.isEmpty)
      if expected.kind == "iiif" { #expect(whole.starts(with: part.originals)) }
    }
  }

  @Test(arguments: DocumentExpectation.all)
  func `survives bytes that have changed`(_ expected: DocumentExpectation) throws {
    let bytes = try ReadDocument.bytes(of: expected.document)
    var random = SeededGenerator(seed: UInt64(bytes.count))

    for _ in 0..<8 {
      var changed = bytes
      for _ in 0..<3 {
        let index = Int.random(in: changed.indices, using: &random)
        changed[index] = UInt8.random(in: 0...255, using: &random)
      }
      let read = try damaged(changed)
      #expect(read?.images.count ?? 0 <= expected.imageCount + 3)
    }
  }

  /// What can be read of a document that may be damaged; nil when that is nothing.
  private func damaged(_ bytes: [UInt8]) throws -> ReadDocument? {
    do {
      return try ReadDocument(bytes, chunk: 4096)
    } catch is FeedError {
      return nil
    }
  }
}
