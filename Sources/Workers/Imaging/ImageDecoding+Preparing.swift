extension ImageDecoding {
  /// Makes sure that pictures can be decoded, by looking into the smallest one there is.
  ///
  /// - Throws: why they cannot; nothing need be fetched for it then.
  func prepare() async throws(ImagingError) { _ = try await inspect(.bytes(smallestGIF)) }
}

/// One transparent pixel (GIF89a, with a table of two colours).
private let smallestGIF: [UInt8] = [
  0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00,
  0xFF, 0xFF, 0xFF, 0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00,
  0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
]

extension ImagingError {
  /// Whether it says something of the decoder and nothing of any picture: the next one would meet
  /// the same.
  var isOfDecoder: Bool {
    switch self {
    case .noDecoder, .cannotStart: true
    default: false
    }
  }
}
