import Models
import Web
import Workers

/// A request to the server.
///
/// The first line of the input is the target of the request, and the rest is the value of a field.
struct WebRequestTarget: FuzzTarget {
  let name = "web-request"
  let dictionary = "web-request"
  let seeds: [Seed] = [
    .text(
      "/api/v1/images?feed=3&q=moon+light&sort=title&since=2026-11-01T00:00:00Z&limit=7\nbytes=0-99"
    ),
    .text("/images?after=1793606400.1048576.7&limit=1000\nbytes=-7"),
    .text("/iiif/image/ab/125,15,120,140/max/!90/default.jpg\nbytes=100-"),
    .text("/iiif/image/ab/pct:41.6,7.5,40,70/!225,100/0/gray.png\nbytes=0-9223372036854775807"),
    .text("/api/v1/changes?since=1.0123456789abcdef.2.0.0.41&wait=30\n1.ab.2.9.0.41.1.7"),
    .text(
      "/websub/a?hub.mode=subscribe&hub.topic=a&hub.challenge=b&hub.lease_seconds=864000\n1.2.3.ab"
    ),
    .text("/t/\(String(repeating: "0a", count: 32))\nbytes=-9223372036854775808"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let lines = String(decoding: input, as: UTF8.self)
      .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let parts = lines[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = PercentEncoding.parameters(parts.count > 1 ? parts[1] : "")
    try requireList(parameters)
    try requireRendering(parts[0].split(separator: "/").suffix(4).map(String.init))
    for text in parameters.values.sorted() + lines { try requireCursors(text) }
    for field in lines { try requireRange(field) }
    _ = HubRequest(parameters)
  }

  /// The address of a list leads to the same list.
  private func requireList(_ parameters: [String: String]) throws(BrokenProperty) {
    guard var list = try? ListAddress(parameters, mostImages: 1_000) else { return }
    try require((1...1_000).contains(list.limit ?? 1), "a limit of \(list.limit ?? 1)")
    // Only years of four digits are written so that they can be read.
    list.since = nil
    let written = PercentEncoding.parameters(list.parameters.dropFirst())
    try requireEqual(try? ListAddress(written, mostImages: 1_000), list, "the address of a list")
  }

  private func requireRendering(_ parts: [String]) throws(BrokenProperty) {
    guard parts.count == 4, let request = read(parts) else { return }
    for (width, height) in [(300, 200), (40_000, 30_000)] {
      guard let rendering = try? request.rendering(ofWidth: width, height: height) else { continue }
      try require(rendering.isSound, "a rendering \(rendering)")
      let path = (try? request.canonical(ofWidth: width, height: height)) ?? ""
      let again = try? read(path.split(separator: "/").map(String.init))?
        .rendering(ofWidth: width, height: height)
      try requireEqual(again, rendering, "the rendering of \(path)")
    }
  }

  private func read(_ parts: [String]) -> IIIFRequest? {
    guard parts.count == 4 else { return nil }
    return try? IIIFRequest(region: parts[0], size: parts[1], rotation: parts[2], file: parts[3])
  }

  /// A cursor that can be read can be written, and is then the same.
  private func requireCursors(_ text: String) throws(BrokenProperty) {
    if let cursor = ChangeCursor(text) {
      try requireEqual(ChangeCursor(cursor.text), cursor, "a cursor of changes")
    }
    for order in ImageQuery.Order.allCases {
      guard let cursor = ImageCursor(text, in: order) else { continue }
      try requireEqual(ImageCursor(cursor.text, in: order), cursor, "a cursor of images")
    }
    if let hash = SHA256Digest(hexadecimal: text) {
      try requireEqual(hash.hexadecimal, text, "a hash")
    }
  }

  private func requireRange(_ field: String) throws(BrokenProperty) {
    for length in [0, 1, 100, .max] {
      guard case .part(let range) = ByteRange(field, length: length) else { continue }
      let isWithin = range.lowerBound >= 0 && range.upperBound <= length && !range.isEmpty
      try require(isWithin, "a range \(range) of \(length) bytes")
    }
  }
}
