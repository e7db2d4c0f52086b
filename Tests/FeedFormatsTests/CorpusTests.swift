import Foundation
import Testing

/// `Documents/CORPUS.tsv` lists every collected document and the test that covers it.
struct CorpusTests {
  /// A line of the list.
  struct Entry: Sendable, Hashable, CustomTestStringConvertible {
    let path: String
    let licence: String
    let coverage: String
    /// A document, or a test file and, after a colon, a text that it contains.
    let place: String

    var testDescription: String { path }

    init(line: Substring) throws {
      let fields = line.split(separator: "\t").map(String.init)
      guard fields.count == 4 else { throw CocoaError(.propertyListReadCorrupt) }
      (path, licence, coverage, place) = (fields[0], fields[1], fields[2], fields[3])
    }

    var isDocument: Bool { !place.contains(": ") }
  }

  @Test func `lists each document once`() throws {
    let entries = try Self.entries()

    #expect(entries.count == 305)
    #expect(Set(entries.map(\.path)).count == entries.count)
  }

  @Test func `says how each document is covered`() throws {
    for entry in try Self.entries() {
      #expect(["file", "cut down", "stand-in"].contains(entry.coverage), "\(entry.path)")
      if entry.licence == "none stated" {
        #expect(entry.coverage == "stand-in" && !entry.isDocument, "\(entry.path)")
      }
    }
  }

  @Test func `knows how many images each of the documents holds`() throws {
    let documents = try Self.entries().filter(\.isDocument)
    let expected = try Self.expected()

    for entry in documents {
      #expect(expected.contains(entry.place), "\(entry.path)")
      #expect(try !ReadDocument.bytes(of: entry.place).isEmpty, "\(entry.path)")
    }
    #expect(expected.subtracting(documents.map(\.place)).isEmpty)
  }

  @Test func `has a test for each document that cannot be copied`() throws {
    let files = try Self.testFiles()

    for entry in try Self.entries() where !entry.isDocument {
      let parts = entry.place.components(separatedBy: ".swift: ")
      let file = try #require(files[parts[0]], "\(entry.place)")
      let text = try String(contentsOf: file, encoding: .utf8)
      let name = try #require(parts.last)
      #expect(text.contains("`\(name)`") || text.contains("name: \"\(name)\""), "\(entry.place)")
    }
  }

  private static func entries() throws -> [Entry] {
    let text = try String(decoding: ReadDocument.bytes(of: "CORPUS.tsv"), as: UTF8.self)
    return try text.split(separator: "\n").dropFirst().map(Entry.init)
  }

  /// The documents that have expectations somewhere.
  private static func expected() throws -> Set<String> {
    var files = Set(DocumentExpectation.all.map(\.document))
    files.formUnion(Expectation.all.map(\.file))
    files.formUnion(try Expectation.written(in: MarkupDocumentsTests.folders).map(\.file))
    files.formUnion((Expected.encodings + Expected.malformed).map(\.file))
    files.formUnion(DamagedDocumentsTests.refused)
    return files
  }

  /// The files of these tests, keyed by name without the extension.
  private static func testFiles() throws -> [String: URL] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var byName: [String: URL] = [:]
    while let file = files?.nextObject() as? URL {
      byName[file.deletingPathExtension().lastPathComponent] = file
    }
    return byName
  }
}
