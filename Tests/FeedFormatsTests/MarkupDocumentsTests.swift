import Foundation
import Models
import Testing
import Workers

/// Real documents in RSS of every version and in Atom, in separate folders.
struct MarkupDocumentsTests {
  static let folders = ["rdf", "rss-html", "rss-enclosure", "mediarss", "atom"]

  @Test(arguments: try Expectation.written(in: folders))
  func `reads the same from chunks of odd sizes`(_ expected: Expectation) throws {
    let bytes = try ReadDocument.bytes(of: expected.file)
    let whole = try ReadDocument(bytes)

    for chunk in [13, 1021, 16_385] {
      #expect(try ReadDocument(bytes, chunk: chunk) == whole)
    }
  }

  @Test(arguments: try Expectation.written(in: folders))
  func `keeps what came before the place where a document is cut off`(
    _ expected: Expectation
  ) throws {
    let bytes = try ReadDocument.bytes(of: expected.file)
    let whole = try ReadDocument(bytes)

    // A part of a document may repeat a picture in a third of its entries, the whole in less.
    if expected.repeatsPictures { return }
    for length in stride(from: 0, to: bytes.count - 16, by: bytes.count / 12 + 1) {
      do {
        let part = try ReadDocument(Array(bytes.prefix(length)))
        #expect(part.images.dropLast(part.lastEntryCount) == whole.images.prefix(part.earlierCount))
      } catch is FeedError {
        continue
      }
    }
  }

  @Test(arguments: try Expectation.written(in: folders))
  func `survives bytes that are flipped`(_ expected: Expectation) throws {
    let bytes = try ReadDocument.bytes(of: expected.file)
    var places = SeededPlaces(seed: UInt64(bytes.count))

    for _ in 0..<12 {
      var damaged = bytes
      for _ in 0..<8 { damaged[places.next(below: bytes.count)] ^= places.bit }
      do {
        let read = try ReadDocument(damaged)
        #expect(read.images.count <= bytes.count / 8)
      } catch is FeedError {
        continue
      }
    }
  }
}

extension ReadDocument {
  /// The number of images of the last entry, of which the parser may read only a part.
  fileprivate var lastEntryCount: Int { images.count - earlierCount }

  /// The number of images in all entries before the last one.
  fileprivate var earlierCount: Int { entries.dropLast().imageCount }
}

extension Expectation {
  /// The expectations in the `EXPECTED.txt` files of some folders of documents.
  ///
  /// Each document has one line: its file, its format, the number of its images, `damaged` if a
  /// warning is due, and `repeats` if a part of it repeats a picture that is none of its entries. Indented lines below give the first image and, if it is another one, the last: title,
  /// thumbnail and original, separated by tabs, with `-` for a missing one. A line that begins with `#`
  /// names the rule that decides where a reader might expect another result.
  static func written(in folders: [String]) throws -> [Expectation] {
    try folders.flatMap { folder in
      let bytes = try ReadDocument.bytes(of: "\(folder)/EXPECTED.txt")
      return try read(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func read(_ text: String) throws -> [Expectation] {
    try text.components(separatedBy: "\n\n").map { block in
      let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
      return try Expectation(head: lines.first ?? "", images: lines.dropFirst().map(image))
    }
  }

  private static func image(_ line: Substring) -> Image? {
    let fields = line.dropFirst(2).split(separator: "\t").map { $0 == "-" ? nil : String($0) }
    guard fields.count == 3, let original = fields[2] else { return nil }
    return Image(title: fields[0], thumbnail: fields[1], original: original)
  }

  private init(head: Substring, images: [Image?]) throws {
    let words = head.split(separator: " ").map(String.init)
    guard words.count >= 3, let format = FeedFormat(rawValue: words[1]), let count = Int(words[2]),
      images.count == min(count, 2), !images.contains(nil)
    else { throw CocoaError(.propertyListReadCorrupt, userInfo: ["line": String(head)]) }
    self.init(
      file: words[0],
      format: format,
      count: count,
      first: images.first ?? nil,
      last: images.last ?? nil,
      isDamaged: words.contains("damaged"),
      repeatsPictures: words.contains("repeats")
    )
  }
}
