import Models
import Workers

/// Reads a JSON document part by part and hands the parts to the format that reads them.
final class JSONReader: KindReader {
  private let source: FeedSource
  private var cutter = JSONCutter()
  private var format: (any JSONFormat)?
  private var flaws = Flaws()
  /// What came before the format was known.
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

  private func takeWhole(_ value: JSONValue) throws(FeedError) {
    guard case .object(let members) = value else {
      throw .notAFeed(looksLike: "JSON without a list of images")
    }
    self.members = members.map { ($0, 1) }
    let array = members.first { !$0.value.elements.isEmpty }
    let format = try choose(key: array?.key ?? "", element: array?.value.elements.first)
    self.members = []
    format.whole(value)
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

  /// The formats that documents tell; all others are lists.
  private static let formats: [any JSONFormat.Type] = [JSONFeedFormat.self, IIIFFormat.self]
}

/// A format whose documents are JSON: told of a document's parts, it makes entries.
///
/// To add a format, write its reader and add it to `JSONReader.formats`.
protocol JSONFormat: AnyObject, SendableMetatype {
  /// Whether a document is of the format, by the members known before its first array, or by all
  /// of them when it has none; `element` is the first element of that array, `key` the array's.
  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool

  init(source: FeedSource)

  /// The entries that are complete; the reader takes them and empties the list.
  var entries: [FeedEntry] { get set }

  /// Takes a member of the document, or of an object in it that was too large to be read whole.
  func member(_ key: String, _ value: JSONValue, depth: Int)

  /// Takes an element of an array.
  func element(_ value: JSONValue, of key: String, depth: Int)

  /// Takes note of an array without elements.
  func emptyArray(of key: String)

  /// Notes that an element of an array begins; its members come one by one.
  func opening(of key: String)

  /// Takes the whole document, when it is one small object.
  func whole(_ value: JSONValue)

  /// What the document as a whole is; `isSound` when all of it could be read.
  ///
  /// - Throws: when it turned out to be no feed.
  func document(isSound: Bool) throws(FeedError) -> FeedDocument
}

extension JSONFormat {
  func emptyArray(of key: String) {}

  func opening(of key: String) {}

  /// Takes first what the document says of itself, then its arrays.
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

/// A name and what it stands for in an object of JSON.
struct JSONMember: Equatable {
  let key: String
  let value: JSONValue
}

/// A part of a JSON document that is decoded by itself.
struct JSONPiece {
  /// How the part stands in the document.
  enum Role: Equatable {
    /// It is the document.
    case whole
    /// It is an element of an array.
    case element
    /// It is an array without elements.
    case emptyArray
    /// It is a member of an object that is read member by member.
    case member
    /// It is the begin of an element that is read member by member.
    case opening
  }

  let role: Role
  /// The member's key, or the key the array is a member by; empty at the top.
  let key: String
  /// How many objects and arrays are open around it.
  let depth: Int
  /// nil when the part is not valid JSON.
  let value: JSONValue?
  /// How many bytes the part takes.
  var length = 0
}
