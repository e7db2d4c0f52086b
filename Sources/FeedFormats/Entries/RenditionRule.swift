import Models

/// Tells which of several renditions of one image is the original, and which loose addresses are
/// renditions of one image.
enum RenditionRule {
  /// The largest: by declared pixels; where those are missing, an address that asks for no size
  /// before one that does; then by bytes, by what the feed calls the default, by order.
  static func original(of renditions: [Candidate]) -> Int? {
    renditions.indices.max { isLarger(renditions[$1], than: renditions[$0]) }
  }

  private static func isLarger(_ one: Candidate, than other: Candidate) -> Bool {
    if let area = one.area, let otherArea = other.area {
      if area != otherArea { return area > otherArea }
    } else if one.longerSide != nil || other.longerSide != nil {
      let side = one.longerSide ?? unasked(one)
      let otherSide = other.longerSide ?? unasked(other)
      if side != otherSide { return side > otherSide }
    }
    let bytes = one.bytes ?? 0
    let otherBytes = other.bytes ?? 0
    if bytes != otherBytes { return bytes > otherBytes }
    return one.isDefault && !other.isDefault
  }

  /// An address without a query is the picture as it was uploaded.
  private static func unasked(_ candidate: Candidate) -> Int {
    candidate.reference.utf8.contains(UInt8(ascii: "?")) ? 0 : .max
  }

  /// Puts loose images whose addresses differ only in the query together into one unit.
  static func joined(_ units: [MediaUnit]) -> [MediaUnit] {
    guard units.count > 1 else { return units }
    var result: [MediaUnit] = []
    var indexes: [Substring: Int] = [:]
    for unit in units {
      guard !unit.isGroup, let path = unit.renditions.first.map(withoutQuery) else {
        result.append(unit)
        continue
      }
      if let index = indexes[path] {
        result[index].add(unit)
      } else {
        indexes[path] = result.count
        result.append(unit)
      }
    }
    return result
  }

  private static func withoutQuery(_ candidate: Candidate) -> Substring {
    let query = candidate.reference.utf8.firstIndex(of: UInt8(ascii: "?"))
    return query.map { candidate.reference[..<$0] } ?? candidate.reference[...]
  }
}

extension MediaUnit {
  /// Takes over the renditions of another unit, and from its words those that are missing here.
  fileprivate mutating func add(_ other: MediaUnit) {
    renditions += other.renditions
    thumbnails += other.thumbnails
    words.fill(from: other.words)
  }
}

/// Chooses the thumbnail among the small pictures that a feed names for one image.
enum ThumbnailRule {
  /// A thumbnail should have at least this many pixels on its longer side.
  static let enough = 200

  /// The smallest of at least 200 pixels, else the largest there is, else, where no size is
  /// known, the first; nil if it is missing.
  static func choose(from candidates: [Candidate]) -> Candidate? {
    if candidates.count == 1 { return NotImages.admits(candidates[0]) ? candidates[0] : nil }
    let admitted = candidates.filter { NotImages.admits($0) }
    let sized = admitted.compactMap { candidate in
      candidate.longerSide.map { (side: $0, candidate: candidate) }
    }
    let sufficient = sized.filter { $0.side >= enough }
    // Of equal ones, the first in the document's order.
    let best = sufficient.min { $0.side < $1.side } ?? sized.max { $0.side < $1.side }
    return best?.candidate ?? admitted.first
  }
}

/// An address that an entry names and that may be a picture's, with what stands beside it.
struct Candidate {
  /// The address as written, character references undone.
  var reference: String
  /// What it is relative to, where `xml:base` says so.
  var base: WebAddress?
  /// Where it leads, once that was worked out; nil before, and where it leads to no image.
  var address: WebAddress?
  var type: String?
  var medium: String?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var isDefault = false
  /// The longer side that the name of a size stands for, if the entry states no size.
  var assumedSide: Int?

  /// Whether the entry states how large it is.
  var isSized: Bool { width != nil || height != nil }

  /// The number of pixels; nil when it is not declared.
  var area: Int? {
    guard let width, let height else { return nil }
    let product = width.multipliedReportingOverflow(by: height)
    return product.overflow ? .max : product.partialValue
  }

  /// The longer side as declared, or as the query asks the server for it.
  var longerSide: Int? {
    if isSized { return max(width ?? 0, height ?? 0) }
    return SizeInAddress.longerSide(of: reference) ?? assumedSide
  }
}

/// The size that an address asks its server for: `?w=460`, `?width=300&height=200`.
enum SizeInAddress {
  /// The longer side asked for; nil when the query names none.
  static func longerSide(of address: String) -> Int? {
    let bytes = address.utf8Span.span
    guard let mark = bytes.first(UInt8(ascii: "?"), from: 0) else { return nil }
    var longest: Int?
    var start = mark + 1
    while start < bytes.count {
      let end = bytes.first(UInt8(ascii: "&"), from: start) ?? bytes.count
      if let size = size(in: bytes.extracting(start..<end)) { longest = max(longest ?? 0, size) }
      start = end + 1
    }
    return longest
  }

  private static func size(in parameter: Span<UInt8>) -> Int? {
    guard let equals = parameter.first(UInt8(ascii: "="), from: 0) else { return nil }
    let name = parameter.extracting(0..<equals)
    guard name.holds("w") || name.holds("h") || name.holds("width") || name.holds("height")
    else { return nil }
    return DeclaredNumber.read(parameter.extracting((equals + 1)...).text)
  }
}
