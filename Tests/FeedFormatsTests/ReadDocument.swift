import FeedFormats
import Foundation
import Models
import Workers

/// The complete result of reading a document: its entries in one list, and the document.
struct ReadDocument: Equatable {
  var entries: [FeedEntry] = []
  var document: FeedDocument

  /// Reads a document that arrives in chunks of `chunk` bytes.
  init(
    _ bytes: [UInt8],
    chunk: Int = .max,
    address: String = "https://example.org/folder/feed",
    charset: String? = nil,
    isExplained: Bool = false,
    isOfPage: Bool = false,
    words: EntryWords? = nil,
    languages: [String] = [],
    repeated: [String] = [],
    imageChoice: ImageChoice = .all
  ) throws {
    let address = try Self.address(address)
    var source = FeedSource(
      address: address,
      charset: charset,
      isExplained: isExplained,
      isOfPage: isOfPage
    )
    source.words = words
    (source.repeated, source.imageChoice) = (Set(repeated), imageChoice)
    let parser = FeedReader(languages: languages).parser(for: source)
    var rest = bytes[...]
    while !rest.isEmpty {
      entries += try parser.push(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    let end = try parser.finish()
    entries += end.entries
    document = end.document
  }

  init(
    _ text: String,
    address: String = "https://example.org/folder/feed",
    repeated: [String] = [],
    imageChoice: ImageChoice = .all
  ) throws {
    try self.init(
      Array(text.utf8),
      address: address,
      repeated: repeated,
      imageChoice: imageChoice
    )
  }

  private static func address(_ text: String) throws -> WebAddress {
    guard let address = WebAddress(text) else { throw CocoaError(.featureUnsupported) }
    return address
  }

  var images: [FeedImage] { entries.flatMap(\.images) }
  var originals: [String] { images.map(\.originalAddress.text) }
  var thumbnails: [String?] { images.map(\.thumbnailAddress?.text) }
  var titles: [String?] { images.map(\.title) }

  /// The bytes of a document in `Documents`.
  static func bytes(of name: String) throws -> [UInt8] {
    let folder = Bundle.module.bundleURL.appending(path: "Documents")
    return try Array(Data(contentsOf: folder.appending(path: name)))
  }

  /// An RSS document around items, which declares the usual prefixes.
  static func rss(
    _ items: String,
    repeated: [String] = [],
    imageChoice: ImageChoice = .all
  ) throws -> ReadDocument {
    try ReadDocument(
      """
      <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed</title>
      \(items)</channel></rss>
      """,
      repeated: repeated,
      imageChoice: imageChoice
    )
  }

  /// An Atom document around entries.
  static func atom(_ entries: String) throws -> ReadDocument {
    try ReadDocument(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
      <title>Feed</title>\(entries)</feed>
      """
    )
  }
}

/// The same sequence of offsets in every run (SplitMix64).
struct SeededPlaces {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// An offset below a bound.
  mutating func next(below bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % bound }

  /// A byte with one random bit set.
  var bit: UInt8 {
    mutating get { 1 << UInt8(truncatingIfNeeded: next() % 8) }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
