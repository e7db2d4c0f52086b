import Models
import Workers

/// Reads a JSON document part by part, and passes the parts to the format that reads them.
final class JSONReader: KindReader {
  private let source: FeedSource
  private var cutter = JSONCutter()
  private var format: (any JSONFormat)?
  var kind: FeedFormat.Kind? { format.map { type(of: $0).kind } }
  private var flaws = Flaws()
  /// The members that came before the format was known.
  private var members: [(member: JSONMember, depth: Int)] = []
  private var memberBytes = 0
  private var isBroken = false

  init(source: FeedSource) { self.source = source }

  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError) {
    var rest = bytes
    while !rest.isEmpty, !isBroken {
      cutter.append(rest.prefix(FormatLimits.block))
      rest = rest.dropFirst(FormatLimits.block)
      try read()
    }
  }

  func finish() throws(FeedError) -> FeedDocument {
    cutter.finish()
    if !isBroken { try read() }
    if !cutter.isComplete, !isBroken { flaws.add(.cutOff) }
    if cutter.hasTail { flaws.add(.followed) }
    let format = try chooseFormat(key: "")
    format.release()
    return try flaws.document { () throws(FeedError) in
      try format.document(isSound: flaws.isLossless)
    }
  }

  /// The entries that are complete.
  func takeEntries() -> [FeedEntry] {
    guard let format else { return [] }
    defer { format.entries = [] }
    return format.entries
  }

  func breakOff() -> [FeedEntry] {
    format?.release()
    return takeEntries()
  }

  private func read() throws(FeedError) {
    do throws(FeedError) {
      while let piece = try cutter.next() { try take(piece) }
    } catch .malformed(let flaw) {
      isBroken = true
      flaws.add(flaw)
    }
  }

  private func take(_ piece: JSONPiece) throws(FeedError) {
    guard let value = piece.value else {
      flaws.add(.malformedEntry)
      return
    }
    switch piece.role {
    case .whole: try takeWhole(value)
    case .ofSequence: try takeWhole(value, isOneOfSeveral: true)
    case .element where format == nil && piece.key == "@context":
      takeMember(piece, value, depth: piece.depth - 1)
    case .opening: try chooseFormat(key: piece.key).opening(of: piece.key)
    case .element:
      let format = try chooseFormat(key: piece.key, element: value)
      format.element(value, of: piece.key, depth: piece.depth)
    case .emptyArray: try chooseFormat(key: piece.key).emptyArray(of: piece.key)
    case .member: takeMember(piece, value, depth: piece.depth)
    }
  }

  private func takeWhole(_ value: JSONValue, isOneOfSeveral: Bool = false) throws(FeedError) {
    guard case .object(let members) = value else {
      throw .notAFeed(looksLike: "JSON without a list of images")
    }
    if let format {
      return isOneOfSeveral ? format.document(value) : format.whole(value)
    }
    self.members = members.map { ($0, 1) }
    let array = members.first { !$0.value.elements.isEmpty }
    let format = try choose(key: array?.key ?? "", element: array?.value.elements.first)
    self.members = []
    if isOneOfSeveral { format.document(value) } else { format.whole(value) }
  }

  private func takeMember(_ piece: JSONPiece, _ value: JSONValue, depth: Int) {
    if let format {
      format.member(piece.key, value, depth: depth)
    } else if members.count < FormatLimits.rememberedNames,
      memberBytes + piece.length <= FormatLimits.earlyMembers
    {
      memberBytes += piece.length
      members.append((JSONMember(key: piece.key, value: value), depth))
    }
  }

  private func chooseFormat(
    key: String,
    element: JSONValue? = nil
  ) throws(FeedError) -> any JSONFormat {
    if let format { return format }
    let format = try choose(key: key, element: element)
    for (member, depth) in members { format.member(member.key, member.value, depth: depth) }
    members = []
    return format
  }

  private func choose(key: String, element: JSONValue?) throws(FeedError) -> any JSONFormat {
    let top = members.filter { $0.depth == 1 }.map(\.member)
    if !IIIFFormat.reads(top, key: "", element: nil) {
      if IIIFContext.namesImages(top) { throw .notAFeed(looksLike: "a IIIF image's description") }
      if IIIFContext.namesPresentation(top) {
        throw .notAFeed(looksLike: "a part of a IIIF manifest")
      }
    }
    let type = Self.formats.first { $0.reads(top, key: key, element: element) }
    let format = (type ?? JSONListFormat.self).init(source: source)
    self.format = format
    return format
  }

  /// The formats that a document can be recognised by; any other document is a list.
  private static let formats: [any JSONFormat.Type] = [JSONFeedFormat.self, IIIFFormat.self]
}

/// A format whose documents are JSON: it receives the parts of a document, and makes entries.
///
/// To add a format, write its reader and add it to `JSONReader.formats`.
protocol JSONFormat: AnyObject, SendableMetatype {
  /// The kind of its documents.
  static var kind: FeedFormat.Kind { get }

  /// Whether a document is of the format.
  ///
  /// The members are those before the document's first array, or all of them when it has no array.
  /// `key` is the key of that array, and `element` its first element.
  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool

  init(source: FeedSource)

  /// The entries that are complete; the reader takes them and empties the list.
  var entries: [FeedEntry] { get set }

  /// Handles a member of the document, or of an object in it that was too large for one part.
  func member(_ key: String, _ value: JSONValue, depth: Int)

  /// Handles an element of an array.
  func element(_ value: JSONValue, of key: String, depth: Int)

  /// Notes an array without elements.
  func emptyArray(of key: String)

  /// Notes that an element of an array begins; its members follow one at a time.
  func opening(of key: String)

  /// Handles the whole document, if it is one small object.
  func whole(_ value: JSONValue)

  /// Adds the entries that are held back to the complete ones: no further entry comes.
  func release()

  /// Handles one of several documents that follow one another.
  func document(_ value: JSONValue)

  /// The description of the whole document; `isSound` when all of it could be read.
  ///
  /// - Throws: A `FeedError` when the document is not a feed.
  func document(isSound: Bool) throws(FeedError) -> FeedDocument
}

extension JSONFormat {
  func emptyArray(of key: String) {}

  func opening(of key: String) {}

  func release() {}

  func document(_ value: JSONValue) { whole(value) }

  /// Handles first the members that describe the document, then its arrays.
  func whole(_ value: JSONValue) {
    for member in value.members {
      if case .array = member.value { continue }
      self.member(member.key, member.value, depth: 1)
    }
    for member in value.members {
      for element in member.value.elements { self.element(element, of: member.key, depth: 2) }
    }
  }
}

/// The name and the value of a member of a JSON object.
struct JSONMember: Equatable {
  let key: String
  let value: JSONValue
}

/// A part of a JSON document that is decoded separately.
struct JSONPiece {
  /// The position of a part in the document.
  enum Role: Equatable {
    /// The part is the document.
    case whole
    /// The part is one of several documents that follow one another.
    case ofSequence
    /// The part is an element of an array.
    case element
    /// The part is an array without elements.
    case emptyArray
    /// The part is a member of an object that is read member by member.
    case member
    /// The part is the beginning of an element that is read member by member.
    case opening
  }

  let role: Role
  /// The key of the member, or of the array around the element; empty at the top.
  let key: String
  /// The number of open objects and arrays around the part.
  let depth: Int
  /// Nil when the part is not valid JSON.
  let value: JSONValue?
  /// The length of the part in bytes.
  var length = 0

  /// The part as one of several documents.
  var inSequence: JSONPiece {
    JSONPiece(role: .ofSequence, key: key, depth: depth, value: value, length: length)
  }
}
