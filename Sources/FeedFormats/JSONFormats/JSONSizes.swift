/// One picture in several sizes: members of one object, an object keyed by size, or an array.
extension JSONPictures {
  /// One size of a picture: an address, or `{"url": "…", "width": 216, "height": 108}`.
  mutating func sized(_ value: JSONValue) -> Candidate? {
    if let text = value.string {
      return JSONAddress.isAddress(text) ? Self.candidate(text) : nil
    }
    var candidate: Candidate?
    var (width, height, side): (Int?, Int?, Int?)
    for member in value.members {
      let name = names[member.key]
      if Self.addresses.contains(name.plain), candidate == nil, let text = member.value.string,
        JSONAddress.isAddress(text)
      {
        candidate = Self.candidate(text)
      } else if name.role?.kind == .width {
        width = width ?? member.value.integer
      } else if name.role?.kind == .height {
        height = height ?? member.value.integer
      } else if name.plain == "size", let size = member.value.integer, size <= Self.longestSide {
        side = size
      } else if name.plain == "dimensions", member.value.elements.count == 2 {
        width = member.value.elements[0].integer
        height = member.value.elements[1].integer
      }
    }
    candidate?.width = width
    candidate?.height = height
    candidate?.assumedSide = side
    return candidate
  }

  private static let addresses: Set<String> = ["url", "uri", "src", "href", "sourceurl", "link"]

  /// The largest number in `size` that counts as pixels; a larger one is a number of bytes.
  static let longestSide = 20_000

  /// The sizes of an object with sizes as keys, the largest first: `{"full": "…", "thumb": {"url": "…"}}`.
  mutating func keyed(_ object: JSONValue) -> [Candidate] {
    let sources = object.members.map { JSONFields.Source(name: names[$0.key], value: $0.value) }
    var found = keyed(sources, hasNames: sources.contains { $0.name.size != nil })
    if let whole = sized(object),
      let index = found.firstIndex(where: { $0.reference == whole.reference })
    {
      found[index].width = whole.width
      found[index].height = whole.height
    }
    return found
  }

  /// The sizes among some members of one object.
  ///
  /// If any of them has the name of a size, every object with a declared size counts.
  mutating func keyed(_ sources: [JSONFields.Source], hasNames: Bool) -> [Candidate] {
    var found: [(rank: Int, candidate: Candidate)] = []
    guard hasNames else { return [] }
    for source in sources where found.count < FormatLimits.sizes {
      guard var candidate = sized(source.value) else { continue }
      if source.name.size == nil, source.value.isScalar || !candidate.isSized { continue }
      if source.name.size?.isByDigits == true, hasIdentity(source.value) { continue }
      candidate.assumedSide = candidate.assumedSide ?? source.name.size?.side
      found.append((source.name.size?.rank ?? .max, candidate))
    }
    return found.sorted { $0.rank < $1.rank }.map(\.candidate)
  }

  /// The sizes of one picture in a value; nil when it contains no sizes, or several pictures.
  mutating func renditions(in value: JSONValue) -> [Candidate]? {
    guard case .array(let elements) = value else {
      if hasIdentity(value) { return nil }
      let sizes = keyed(value)
      return sizes.count > 1 ? sizes : nil
    }
    guard elements.count > 1 else { return nil }
    let areNamed = areSizes(elements)
    var found: [Candidate] = []
    for element in elements.prefix(FormatLimits.sizes) {
      guard !element.isScalar, !hasIdentity(element), let size = sized(element),
        areNamed || size.longerSide != nil
      else { return nil }
      found.append(size)
    }
    return areNamed || Self.endInSizes(found) || Self.isOnePicture(found) ? found : nil
  }

  /// Whether a member distinguishes more than two elements by the names of sizes: `"ResourceType": "Large"`.
  private mutating func areSizes(_ elements: [JSONValue]) -> Bool {
    guard elements.count > 2 else { return false }
    for member in elements[0].members {
      var known: Set<String> = []
      for element in elements {
        guard let name = element[member.key]?.string, name.utf8.count <= Self.longestName,
          let size = names[name].size, !size.isByDigits, known.insert(name).inserted
        else { break }
      }
      if known.count == elements.count { return true }
    }
    return false
  }

  /// The most bytes of a size's name, which is a word.
  private static let longestName = 20

  /// Whether a value has an id or a title, which the sizes of a picture lack.
  private mutating func hasIdentity(_ value: JSONValue) -> Bool {
    value.members.contains { member in
      switch names[member.key].role?.kind {
      case .id?, .caption?: !member.value.isScalar || member.value.scalar != nil
      case .title?: member.value.string.map { names[$0].size == nil } ?? false
      default: false
      }
    }
  }

  /// Whether pictures are sizes of one picture: they have the same aspect ratio and different sizes.
  ///
  /// Small ones may be cropped to squares. Two pictures may match by chance, so they must also have the same name.
  private static func isOnePicture(_ sizes: [Candidate]) -> Bool {
    let sides = sizes.map { $0.longerSide ?? 0 }
    guard Set(sides).count == sides.count, sizes.count > 2 || haveOneName(sizes),
      let largest = sizes.max(by: { $0.longerSide ?? 0 < $1.longerSide ?? 0 })
    else { return false }
    return sizes.allSatisfy { size in
      guard let width = size.width, let height = size.height, let fullWidth = largest.width,
        let fullHeight = largest.height
      else { return true }
      let isCut = width == height || max(width, height) <= ThumbnailRule.enough
      let (one, other) = (Double(width) * Double(fullHeight), Double(fullWidth) * Double(height))
      return isCut || abs(one - other) <= 0.03 * max(one, other)
    }
  }

  /// Whether more than two addresses differ only in the name of a size at their end:
  /// `moon~orig.jpg`, `moon~small.jpg`.
  private static func endInSizes(_ sizes: [Candidate]) -> Bool {
    guard sizes.count > 2 else { return false }
    var names: Set<Substring> = []
    var rests: Set<Substring> = []
    for size in sizes {
      let path = size.reference.prefix { $0 != "?" }
      let stem = path.lastIndex(of: ".").map { path[..<$0] } ?? path
      guard let mark = stem.lastIndex(where: { $0 == "~" || $0 == "_" || $0 == "-" }) else {
        return false
      }
      let name = stem[stem.index(after: mark)...]
      guard let size = JSONSize(plain: name.lowercased()), !size.isByDigits,
        names.insert(name).inserted
      else { return false }
      rests.insert(stem[..<mark])
    }
    return rests.count == 1
  }

  /// Whether addresses differ only in digits, in the query, and in a letter at the end of a name.
  private static func haveOneName(_ sizes: [Candidate]) -> Bool {
    let names = sizes.map { size in
      let path = size.reference.utf8.prefix { $0 != UInt8(ascii: "?") }
      let stem = path.lastIndex(of: UInt8(ascii: ".")).map { path[..<$0] } ?? path
      let name = stem.filter { !$0.isDigit }
      let mark = name.dropLast().last
      let hasLetter = mark == UInt8(ascii: "_") || mark == UInt8(ascii: "-")
      return hasLetter ? name.dropLast() : name[...]
    }
    return Set(names.map { Array($0) }).count == 1
  }
}

/// The size of a picture that a name suggests.
struct JSONSize {
  /// The rank by size; a larger size has a lower rank.
  let rank: Int
  /// The longer side in pixels that the name usually suggests.
  let side: Int?

  /// The size that a plain name suggests; digits at its end are the size: `808`, `imageurl2048`.
  init?(plain: String) {
    if let size = Self.table[plain] {
      self = size
    } else if let side = Self.digits(endingIn: plain), (16...20_000).contains(side) {
      self.init(rank: Self.rankOfDigits, side: side)
    } else {
      return nil
    }
  }

  private init(rank: Int, side: Int?) {
    self.rank = rank
    self.side = side
  }

  private static func digits(endingIn name: String) -> Int? {
    let rest = name.utf8.lastIndex { !$0.isDigit }
    return Int(rest.map { name[name.utf8.index(after: $0)...] } ?? name[...])
  }

  /// Whether the name gives the size in digits, which may also be an id.
  var isByDigits: Bool { rank == Self.rankOfDigits }

  private static let rankOfDigits = 50

  private static let table: [String: JSONSize] = {
    var table: [String: JSONSize] = [:]
    for (rank, size) in sizes.enumerated() {
      for name in size.names.split(separator: " ") {
        table[String(name)] = JSONSize(rank: rank, side: size.side)
      }
    }
    return table
  }()

  private static let sizes: [(names: String, side: Int?)] = [
    ("original orig originalurl originalimage o originalsize", nil), ("max full fullsize", nil),
    ("raw", nil),
    ("xxlarge extralarge xlarge 2xlarge large2x", 2048), ("print", nil), ("k h", 2048),
    ("big large l b hd hq", 1024), ("source highres content", nil),
    ("regular standard default standardresolution", 1080),
    ("url href src link sourceurl", nil), ("mediumlarge c z", 800), ("web", 900),
    ("medium", 500), ("landscape portrait", 800), ("lowresolution low", 320),
    ("small n", 320), ("m s preview", 240), ("thumbnail thumb", 200), ("q tiny", 150), ("t d", 100),
    ("square sq icon mini smallsquare", 75),
  ]
}
