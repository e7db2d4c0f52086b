import Foundation

/// Codings (RFC 9110, section 8.4) that are broken, are bombs, or do not match the body.
extension Fault {
  static let codings = [
    coded(
      "broken-gzip",
      "says gzip of what is none",
      ["gzip"],
      .refused("content encoding|the data is not a picture", requests: 1, upTo: 2),
      rubbish
    ),
    coded(
      "broken-deflate",
      "says deflate of what is none",
      ["deflate"],
      .refused("the data is not a picture", requests: 1),
      rubbish
    ),
    coded(
      "broken-brotli",
      "says br of what is none",
      ["br"],
      .refused("content encoding|the data is not a picture", requests: 1, upTo: 2),
      rubbish
    ),
    coded(
      "broken-zstd",
      "says zstd of what is none",
      ["zstd"],
      .refused("content encoding|the data is not a picture", requests: 1, upTo: 2),
      rubbish
    ),
    coded(
      "cut-gzip",
      "packs half a picture",
      ["gzip"],
      .refused("the data is not a picture", requests: 1),
      Array(gzipBomb.prefix(20))
    ),
    coded("gzip-bomb", "packs 16 MB into 150 bytes", ["gzip", "gzip"], .tooLarge, gzipBomb),
    coded("brotli-bomb", "packs 16 MB into 14 bytes", ["br"], .tooLarge, brotliBomb),
    coded("zstd-bomb", "packs 16 MB into 521 bytes", ["zstd"], .tooLarge, zstdBomb),
    coded(
      "many-codings",
      "packs a body six times",
      [String](repeating: "gzip", count: 6),
      .refused("encoded too many times", requests: 1),
      gzipBomb
    ),
    Fault("unknown-coding", "names a coding that is none", .stored(requests: 2)) { _, picture in
      .whole(picture, fields: ["Content-Encoding: aws-chunked"])
    },
  ]

  private static let rubbish = [UInt8](repeating: 0xAB, count: 999)

  /// Zero bytes, compressed twice.
  private static let gzipBomb = decoded(
    """
    H4sIAAAAAAACA+3arQ3CYBSG0f4gGgTgEXQMDIKQIFCYasIQOEQTJIYVSKhmBZiCsANBoAmlH0MgmnPUq698ckf7LAqS\
    9HGN42aUh8/5mXUjAAAAoOXK+y4NMSDK69t8WQAAAABtt+73Or8o8F4Np84BAAAArVdNxnloAYNXvZklHiUAAADgDy7F\
    4rg9NSP+Ag5zyLbIPwAA
    """
  )

  private static let brotliBomb = decoded("n/////gnAOKxQCD3/h8=")

  /// Zero bytes: 128 blocks that each repeat one for as long as a block may be (RFC 8878, section
  /// 3.1.1.2), in a frame with a window of 128 KiB and without a length.
  private static let zstdBomb: [UInt8] = {
    let last = 127
    let blocks = (0...last).flatMap { number -> [UInt8] in
      let header = 131_072 << 3 | 1 << 1 | (number == last ? 1 : 0)
      return [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16), 0]
    }
    return [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38] + blocks
  }()

  private static func coded(
    _ name: String,
    _ summary: String,
    _ codings: [String],
    _ outcome: FaultOutcome,
    _ body: [UInt8]
  ) -> Fault {
    let field = "Content-Encoding: \(codings.joined(separator: ", "))"
    return response(name, summary, outcome, .whole(body, fields: [field]))
  }

  private static func decoded(_ text: String) -> [UInt8] {
    Data(base64Encoded: text).map([UInt8].init) ?? []
  }
}
