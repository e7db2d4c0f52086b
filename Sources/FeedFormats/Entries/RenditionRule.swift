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

  /// The pictures of a group that is a list of pictures, each with its thumbnail; else the group itself.
  ///
  /// A group is one picture in several renditions (Media RSS 1.5.1). But feedgen puts all pictures of an
  /// entry into one (findings/feedgen-one-media-group.sh). So a group with a thumbnail for each
  /// rendition is a list if their names and proportions differ.
  static func pictures(of group: MediaUnit) -> [MediaUnit] {
    let pictures = group.renditions
    guard pictures.count > 1, pictures.count == group.thumbnails.count,
      pictures.allSatisfy({ $0.isSized && ImageTest.isImage($0) }),
      pictures.contains(where: { pictures[0].hasProportions(of: $0) == false }),
      Set(pictures.map(key)).count == pictures.count
    else { return [group] }
    return zip(pictures, group.thumbnails).map { picture, thumbnail in
      MediaUnit(isGroup: true, renditions: [picture], thumbnails: [thumbnail], words: group.words)
    }
  }

  /// Groups loose images that are one picture in several sizes into one unit.
  static func joined(_ units: [MediaUnit]) -> [MediaUnit] {
    guard units.count > 1 else { return units }
    var result: [MediaUnit] = []
    var indexes: [String: Int] = [:]
    for unit in units {
      guard !unit.isGroup, let key = unit.renditions.first.map(key) else {
        result.append(unit)
        continue
      }
      if let index = indexes[key] {
        result[index].add(unit)
      } else {
        indexes[key] = result.count
        result.append(unit)
      }
    }
    if result.contains(where: \.isSample) { joinSamples(&result) }
    return result
  }

  /// The key of a picture, without numbers that repeat its declared width or height: `/240/d.jpg`,
  /// `d-240.jpg`.
  private static func key(_ candidate: Candidate) -> String {
    let key = PictureKey.key(of: candidate.reference)
    let sides = [candidate.width, candidate.height].compactMap { $0.map(String.init) }
    guard candidate.isSized, sides.contains(where: { $0.count > 1 && key.contains($0) }) else {
      return key
    }
    let segments = key.split(separator: "/").filter { !sides.contains(String($0)) }
    var name = segments.last ?? ""
    if let mark = name.lastIndex(where: { $0 == "-" || $0 == "_" }), mark > name.startIndex,
      sides.contains(String(name[name.index(after: mark)...]))
    {
      name = name[..<mark]
    }
    return (segments.dropLast() + [name]).joined(separator: "/")
  }

  /// Adds each sample to the full picture whose name begins its own, if they have one aspect ratio.
  ///
  /// If several names do, the longest counts. In the order of the names, those that begin a name are
  /// all before it.
  private static func joinSamples(_ units: inout [MediaUnit]) {
    let loose = units.indices.compactMap { index -> Loose? in
      guard !units[index].isGroup, let picture = units[index].renditions.first else { return nil }
      let name = Array(PictureKey.key(of: picture.reference).utf8)
      return Loose(index: index, picture: picture, name: name)
    }
    var begun: [Loose] = []
    var samples: [(index: Int, full: Int)] = []
    for next in loose.sorted(by: { $0.precedes($1) }) {
      while let last = begun.last, !next.name.starts(with: last.name) { begun.removeLast() }
      if !next.picture.isSample {
        begun.append(next)
      } else if let full = begun.last(where: { next.isSample(of: $0) }) {
        samples.append((next.index, full.index))
      }
    }
    for sample in samples.sorted(by: { $0.index < $1.index }) {
      units[sample.full].add(units[sample.index])
    }
    let joined = Set(samples.map(\.index))
    units = units.indices.filter { !joined.contains($0) }.map { units[$0] }
  }
}

/// A loose picture of an entry, by its name.
private struct Loose {
  let index: Int
  let picture: Candidate
  /// The bytes of its key.
  let name: [UInt8]

  /// Whether it comes first in the order of the names: of one name, the full pictures do.
  func precedes(_ other: Loose) -> Bool {
    if name == other.name { return !picture.isSample && other.picture.isSample }
    return name.lexicographicallyPrecedes(other.name)
  }

  /// Whether it is a sample of a picture whose name begins its own; `/10` is not a sample of `/1`.
  func isSample(of full: Loose) -> Bool {
    if name.dropFirst(full.name.count).first?.isDigit == true { return false }
    return picture.hasProportions(of: full.picture) ?? true
  }
}

extension MediaUnit {
  fileprivate var isSample: Bool { !isGroup && renditions.first?.isSample == true }

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

  /// Whether Media RSS calls it a sample of another medium.
  var isSample = false

  /// Whether the entry declares a size in pixels.
  var isSized: Bool {
    if let width, let height { return !AspectRatio.isRatio(width, height) }
    return width != nil || height != nil
  }

  /// The number of pixels; nil when it is not declared.
  var area: Int? {
    guard let width, let height, isSized else { return nil }
    let product = width.multipliedReportingOverflow(by: height)
    return product.overflow ? .max : product.partialValue
  }

  /// Whether it is as much wider than high as another one; nil if a size is not declared.
  func hasProportions(of other: Candidate) -> Bool? {
    guard let width, let height, let otherWidth = other.width, let otherHeight = other.height
    else { return nil }
    let (one, two) = (Double(width) * Double(otherHeight), Double(otherWidth) * Double(height))
    return abs(one - two) <= 0.03 * max(one, two)
  }

  /// The longer side as declared, or as the query requests it from the server.
  var longerSide: Int? {
    if isSized { return max(width ?? 0, height ?? 0) }
    return SizeInAddress.longerSide(of: reference) ?? assumedSide
  }
}

/// The size that an address requests from its server: `?w=460`, `?width=300&height=200`, `?w=430&dpr=2`.
enum SizeInAddress {
  /// The longer side in the query; nil when the query requests no size.
  static func longerSide(of address: String) -> Int? {
    let bytes = address.utf8Span.span
    guard let mark = bytes.first(UInt8(ascii: "?"), from: 0) else { return nil }
    var longest: Int?
    var density = 1
    var start = mark + 1
    while start < bytes.count {
      let end = bytes.first(UInt8(ascii: "&"), from: start) ?? bytes.count
      let parameter = bytes.extracting(start..<end)
      if let size = size(in: parameter) {
        longest = max(longest ?? 0, size)
      } else if parameter.count == 5, parameter.begins(with: "dpr=", at: 0), parameter[4].isDigit {
        density = max(1, Int(parameter[4] - UInt8(ascii: "0")))
      }
      start = end + 1
    }
    return longest.map { $0.multipliedReportingOverflow(by: density).partialValue }
  }

  private static func size(in parameter: Span<UInt8>) -> Int? {
    guard let equals = parameter.first(UInt8(ascii: "="), from: 0) else { return nil }
    let name = parameter.extracting(0..<equals)
    guard name.holds("w") || name.holds("h") || name.holds("width") || name.holds("height")
    else { return nil }
    return DeclaredNumber.read(parameter.extracting((equals + 1)...).text)
  }
}
