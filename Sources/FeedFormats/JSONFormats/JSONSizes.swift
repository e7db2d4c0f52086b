/// Objects that name one picture in several sizes: `{"full": "…", "regular": "…", "thumb": "…"}`.
enum JSONSizes {
  /// The renditions, the largest first; empty when the object is something else.
  static func renditions(of object: JSONValue) -> [Candidate] {
    var found: [(rank: Int, candidate: Candidate)] = []
    for member in object.members where found.count < FormatLimits.sizes {
      guard let (rank, side) = table[normalized(member.key)],
        let candidate = candidate(member.value, side: side, in: object)
      else { continue }
      found.append((rank, candidate))
    }
    return found.sorted { $0.rank < $1.rank }.map(\.candidate)
  }

  private static func candidate(
    _ value: JSONValue,
    side: Int?,
    in object: JSONValue
  ) -> Candidate? {
    let holder = value.string == nil ? value : object
    let reference =
      value.string ?? value["url"]?.string ?? value["src"]?.string ?? value["href"]?.string
      ?? value["source_url"]?.string
    guard let reference, JSONAddress.isAddress(reference) else { return nil }
    var candidate = Candidate(reference: reference)
    candidate.width = holder["width"]?.integer
    candidate.height = holder["height"]?.integer
    candidate.assumedSide = side
    candidate.type = "image"
    return candidate
  }

  private static func normalized(_ name: String) -> String {
    String(
      decoding: name.utf8.filter { $0.isLetter || $0.isDigit }.map(\.lowercased),
      as: UTF8.self
    )
  }

  /// Each name with its rank and the longer side it usually means.
  private static let table: [String: (rank: Int, side: Int?)] = {
    var table: [String: (rank: Int, side: Int?)] = [:]
    for (rank, size) in sizes.enumerated() {
      for name in size.names.split(separator: " ") { table[String(name)] = (rank, size.side) }
    }
    return table
  }()

  private static let sizes: [(names: String, side: Int?)] = [
    ("original orig originalurl originalimage o", nil), ("max full fullsize", nil), ("raw", nil),
    ("xxlarge extralarge xlarge 2xlarge large2x", 2048), ("print", nil), ("k h", 2048),
    ("big large l b hd hq", 1024), ("source highres", nil),
    ("regular standard default standardresolution", 1080),
    ("url href src link sourceurl", nil), ("mediumlarge c z", 800), ("web", 900),
    ("medium", 500), ("landscape portrait", 800), ("lowresolution low", 320),
    ("small n", 320), ("m s preview", 240), ("thumbnail thumb", 200), ("q tiny", 150), ("t", 100),
    ("square sq icon mini smallsquare", 75),
  ]
}
