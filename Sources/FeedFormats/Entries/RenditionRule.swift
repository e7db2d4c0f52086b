import Models

/// Chooses the original among several renditions of one image, and groups loose addresses that are
/// renditions of one image.
enum RenditionRule {
  /// The largest rendition, by declared pixels.
  ///
  /// If these are missing, an address without a query precedes one that requests a size. After
  /// that, the bytes decide, then the feed's own default, then the order.
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

  /// The assumed side of a rendition without a size: an address without a query is the uploaded picture.
  private static func unasked(_ candidate: Candidate) -> Int {
    candidate.reference.utf8.contains(UInt8(ascii: "?")) ? 0 : .max
  }

  /// Groups loose images whose addresses differ only in the query into one unit.
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
  /// Adds the renditions of another unit, and takes missing words from it.
  fileprivate mutating func add(_ other: MediaUnit) {
    renditions += other.renditions
    thumbnails += other.thumbnails
    words.fill(from: other.words)
  }
}

/// Chooses the thumbnail from the small pictures that a feed names for one image.
enum ThumbnailRule {
  /// The least pixels that a thumbnail should have on its longer side.
  static let enough = 200

  /// The smallest candidate of at least 200 pixels, else the largest, else the first if no size is known.
  ///
  /// Nil when there is no candidate, or when all of them are too small.
  static func choose(from candidates: [Candidate]) -> Candidate? {
    if candidates.count == 1 { return NotImages.admits(candidates[0]) ? candidates[0] : nil }
    let admitted = candidates.filter { NotImages.admits($0) }
    let sized = admitted.compactMap { candidate in
      candidate.longerSide.map { (side: $0, candidate: candidate) }
    }
    let sufficient = sized.filter { $0.side >= enough }
    // Of equal ones, this takes the first in the document's order.
    let best = sufficient.min { $0.side < $1.side } ?? sized.max { $0.side < $1.side }
    return best?.candidate ?? admitted.first
  }
}

/// An address in an entry that may be a picture's, with its attributes.
struct Candidate {
  /// The address as written, with its character references decoded.
  var reference: String
  /// The base of the address, if `xml:base` sets one.
  var base: WebAddress?
  /// The resolved address; nil before it is resolved, and when it does not lead to an image.
  var address: WebAddress?
  var type: String?
  var medium: String?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var isDefault = false
  /// The longer side that the name of a size suggests, if the entry declares no size.
  var assumedSide: Int?

  /// Whether the entry declares a size.
  var isSized: Bool { width != nil || height != nil }

  /// The number of pixels; nil when it is not declared.
  var area: Int? {
    guard let width, let height else { return nil }
    let product = width.multipliedReportingOverflow(by: height)
    return product.overflow ? .max : product.partialValue
  }

  /// The longer side as declared, or as the query requests it from the server.
  var longerSide: Int? {
    if isSized { return max(width ?? 0, height ?? 0) }
    return SizeInAddress.longerSide(of: reference) ?? assumedSide
  }
}

/// The size that an address requests from its server: `?w=460`, `?width=300&height=200`.
enum SizeInAddress {
  /// The longer side in the query; nil when the query requests no size.
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
