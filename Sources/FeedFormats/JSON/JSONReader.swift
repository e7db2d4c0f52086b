import Models
import Workers

/// Reads a JSON document part by part and hands the parts to the format that reads them.
final class JSONReader {
  private let source: FeedSource
  private var cutter = JSONCutter()
  private var format: (any JSONFormat)?
  private var flaws = Flaws()
  /// What came before the format was known.
  private var members: [(member: JSONMember, depth: Int)] = []
  private var memberBytes = 0
  private var isBroken = false

  init(source: FeedSource) { self.source = source }

  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError) -> [FeedImage] {
    var rest = bytes
    while !rest.isEmpty, !isBroken {
      cutter.append(rest.prefix(FormatLimits.block))
      rest = rest.dropFirst(FormatLimits.block)
      try read()
    }
    return takeImages()
  }

  func finish() throws(FeedError) -> FeedDocument {
    cutter.finish()
    if !isBroken { try read() }
    if !cutter.isComplete, !isBroken { flaws.add(.cutOff) }
    if cutter.hasTail { flaws.add(.followed) }
    let format = try chooseFormat(key: "", element: nil)
    var document = try self.document(of: format)
    document.images = takeImages()
    document.flaws = flaws.all + document.flaws
    return document
  }

  /// A damaged document of which nothing could be read is not said to be something else.
  private func document(of format: any JSONFormat) throws(FeedError) -> FeedDocument {
    do throws(FeedError) {
      return try format.document(isSound: flaws.isLossless)
    } catch {
      guard let worst = flaws.worst else { throw error }
      throw .malformed(worst)
    }
  }

  private func takeImages() -> [FeedImage] {
    guard let format else { return [] }
    defer { format.images.removeAll(keepingCapacity: true) }
    return format.images
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
    switch piece.place {
    case .whole: try takeWhole(value)
    case .element where format == nil && piece.key == "@context":
      takeMember(piece, value, depth: piece.depth - 1)
    case .opening: try chooseFormat(key: piece.key, element: nil).opening(of: piece.key)
    case .element:
      let format = try chooseFormat(key: piece.key, element: value)
      format.element(value, of: piece.key, depth: piece.depth)
    case .emptyArray: try chooseFormat(key: piece.key, element: nil).emptyArray(of: piece.key)
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

  private func chooseFormat(key: String, element: JSONValue?) throws(FeedError) -> any JSONFormat {
    if let format { return format }
    let format = try choose(key: key, element: element)
    for (member, depth) in members { format.member(member.key, member.value, depth: depth) }
    members = []
    return format
  }

  private func choose(key: String, element: JSONValue?) throws(FeedError) -> any JSONFormat {
    let top = members.filter { $0.depth == 1 }.map(\.member)
    if let foreign = ForeignJSON.description(of: top) { throw .notAFeed(looksLike: foreign) }
    guard
      let type = JSONFormats.all.first(where: { $0.reads(top, key: key, element: element) })
    else { throw .notAFeed(looksLike: "JSON without a list of images") }
    let format = type.init(source: source)
    self.format = format
    return format
  }
}
