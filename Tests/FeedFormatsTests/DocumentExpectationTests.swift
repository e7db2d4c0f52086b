import Foundation
import Models
import Testing
import Workers

/// The expectations of a document, from a block of `Documents/expectations.txt`.
struct DocumentExpectation: Sendable, Equatable, CustomTestStringConvertible {
  /// The lines of the block, keyed by the text before the first colon.
  var facts: [String: String]

  var document: String { facts["document"] ?? "" }
  var kind: String { String(document.prefix { $0 != "/" }) }
  var imageCount: Int { facts["images"].flatMap { Int($0) } ?? 0 }
  var testDescription: String { document }

  /// All blocks of the file; empty if the file is missing, which a test reports.
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

extension DocumentExpectation {
  /// Describes the result of reading a document, in the words of an expectation.
  init(reading document: String, address: String = "https://example.org/folder/feed") throws {
    facts = ["document": document]
    do {
      let read = try ReadDocument(ReadDocument.bytes(of: document), address: address)
      describe(read.document)
      facts["images"] = String(read.images.count)
      if let first = read.images.first { describe(first, as: "first") }
      if let last = read.images.last { describe(last, as: "last") }
    } catch FeedError.notAFeed(let description) {
      facts["error"] = description
    }
  }

  private mutating func describe(_ document: FeedDocument) {
    facts["format"] = document.format.rawValue
    facts["title"] = document.title
    facts["everything"] = document.listsEverything ? "yes" : nil
    facts["warnings"] = document.flaws.isEmpty ? nil : "yes"
    switch document.continuation {
    case .none: break
    case .nextPage(let address): facts["next"] = address.text
    case .members(let addresses): describe(addresses, as: "members")
    case .feeds(let addresses), .choice(let addresses): describe(addresses, as: "feeds")
    case .gallery(let gallery): describe([gallery.address], as: "galleries")
    }
  }

  private mutating func describe(_ addresses: [WebAddress], as name: String) {
    facts[name] = String(addresses.count)
    facts["from"] = addresses.first?.text
    facts["to"] = addresses.last?.text
  }

  private mutating func describe(_ image: FeedImage, as name: String) {
    facts[name + " title"] = image.title
    facts[name + " thumbnail"] = image.thumbnailAddress?.text
    facts[name + " original"] = image.originalAddress.text
  }
}

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

  /// The content of a document that may be damaged; nil if it cannot be read.
  private func damaged(_ bytes: [UInt8]) throws -> ReadDocument? {
    do {
      return try ReadDocument(bytes, chunk: 4096)
    } catch is FeedError {
      return nil
    }
  }
}
