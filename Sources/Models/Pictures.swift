package import FoundationEssentials

/// A picture format, recognised by a file's first bytes and never by its name.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case gif
  case webP = "webp"
  case avif
  case heic
  case tiff
  case bmp
  case ico
  /// PBM, PGM and PPM.
  case pnm
  case jpeg2000 = "jp2"
  case jpegXL = "jxl"
  case svg

  /// The media type, as registered with IANA.
  package var mediaType: String {
    switch self {
    case .svg: "image/svg+xml"
    case .ico: "image/vnd.microsoft.icon"
    case .pnm: "image/x-portable-anymap"
    default: "image/\(rawValue)"
    }
  }

  /// The usual file name extension, without its dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
    }
  }

  /// The format that a file name's extension stands for; nil for one that stands for no format, or for several.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
    case "tif", "tiff": self = .tiff
    case "pbm", "pgm", "ppm", "pnm": self = .pnm
    case "heic", "heif": self = .heic
    case let name:
      guard let format = Self(rawValue: name) else { return nil }
      self = format
    }
  }

  /// The format with the given media type.
  package init?(mediaType: String) {
    let match = Self.allCases.first { $0.mediaType == mediaType }
    guard let match else { return nil }
    self = match
  }
}

/// A kind of picture that is not drawn although its format is supported.
///
/// Its colours would be wrong, or the decoders do not support the kind. The raw value is part of the decoder's answers.
package enum UndrawnKind: UInt8, Sendable, CaseIterable {
  /// Samples in floating point: the file does not state which values are black and white.
  case floatSamples = 1
  /// Samples of an unsupported length or type.
  case oddSamples = 2
  /// A colour model that is supported only in JPEG.
  case colourModel = 3
  /// JPEG in TIFF in the form used before 1995.
  case oldJPEG = 4
  /// Separate tiles for each colour channel.
  case planarTiles = 5
  /// Transparency whose rotation, mirroring or cropping differs from that of the colours.
  case differingAlpha = 6
  /// An unsupported compression or depth of the pixels.
  case packing = 7
  /// JPEG with twelve bits a sample, which is valid (ITU-T T.81, table B.2).
  case twelveBits = 8
  /// JPEG without loss, which is valid (ITU-T T.81, annex H).
  case losslessJPEG = 9
  /// JPEG with arithmetic coding (ITU-T T.81, annex D), where the system's library lacks it.
  case arithmeticJPEG = 10
  /// A camera's raw data without a preview.
  case rawData = 11
  /// A valid form that the system's library does not read: most are newer than the library.
  case newerForm = 12
  /// A coding for which the system has no decoder.
  case missingCodec = 13
}

/// What a decoder draws in place of what a picture's file says.
///
/// The raw value is part of the decoder's answers.
package enum PictureSubstitute: UInt8, Sendable, CaseIterable {
  /// The largest preview in a camera's raw file.
  case preview = 1
  /// The colours without their curve, which the decoder does not know.
  case withoutCurve = 2
  /// An SVG without its text: the decoder has no fonts.
  case withoutText = 3
}

/// The sides of a thumbnail.
///
/// A thumbnail of a panorama or a strip is longer than others, so that something can be seen on it.
package enum ThumbnailSides {
  /// The box into which a thumbnail has to fit.
  ///
  /// - Parameters:
  ///   - longestSide: The longest side of a usual thumbnail, in pixels.
  ///   - width: The width of the picture.
  ///   - height: Its height.
  /// - Returns: A square; or for a picture more than four times longer than wide, a box in which its short side has a
  ///   quarter of `longestSide`, or what four times `longestSide` allow.
  package static func box(
    longestSide: Int,
    width: Int,
    height: Int
  ) -> (width: Int, height: Int) {
    let (long, short) = (Double(max(width, height, 1)), Double(max(min(width, height), 1)))
    let side = Double(longestSide)
    guard long > side, short * 4 < long else { return (longestSide, longestSide) }
    let scale = min(Double(max(1, longestSide / 4)) / short, 4 * side / long, 1)
    let longer = Int((long * scale).rounded())
    return width > height ? (longer, longestSide) : (longestSide, longer)
  }

  /// Whether a thumbnail may have these sides.
  package static func allow(_ width: Int, _ height: Int, longestSide: Int) -> Bool {
    let (long, short) = (max(width, height), min(width, height))
    return long <= longestSide || long <= 4 * longestSide && short <= max(1, longestSide / 4)
  }
}

/// The format, by content, and the size of a stored picture.
package struct PictureInfo: Sendable, Equatable {
  package var format: ImageFormat
  /// Length of the file in bytes.
  package var bytes: Int
  /// Width in pixels; nil when the header does not state it.
  package var width: Int?
  /// Height in pixels; nil when the header does not state it.
  package var height: Int?
  /// The hash of the file; nil if the query did not include it.
  package var hash: SHA256Digest?
  /// The path of the file if it is in a folder that is a feed; nil for a file of the library.
  package var place: String?

  package init(
    format: ImageFormat,
    bytes: Int,
    width: Int?,
    height: Int?,
    hash: SHA256Digest? = nil
  ) {
    self.format = format
    self.bytes = bytes
    self.width = width
    self.height = height
    self.hash = hash
  }
}

/// The SHA-256 of a file (FIPS 180-4), by which browsers and mirrors identify it.
package struct SHA256Digest: Sendable, Hashable {
  // Not stored as a vector, because that is aligned to 32 bytes: Swift 6.3.1 makes the frames of optimised async
  // functions too small for such values. `Scripts/frames` finds such functions.
  private var first: UInt64
  private var second: UInt64
  private var third: UInt64
  private var fourth: UInt64

  /// The 32 bytes as four big-endian words.
  package var words: SIMD4<UInt64> { SIMD4(first, second, third, fourth) }

  package init(words: SIMD4<UInt64>) {
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  /// Reads 32 bytes; nil for any other length.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    self.init(words: SIMD4(word(0), word(1), word(2), word(3)))
  }

  /// Reads 32 bytes; nil for any other length.
  package init?(bytes: [UInt8]) {
    guard let digest = bytes.withUnsafeBytes({ Self(bytes: $0) }) else { return nil }
    self = digest
  }

  /// Reads 64 lower-case hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    guard text.utf8.count == 64 else { return nil }
    var words = SIMD4<UInt64>()
    var index = 0
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      words[index / 16] = words[index / 16] << 4 | UInt64(value)
      index += 1
    }
    self.init(words: words)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    appendBytes(to: &bytes)
    return bytes
  }

  package func appendBytes(to bytes: inout [UInt8]) {
    let words = words
    for index in 0..<4 { withUnsafeBytes(of: words[index].bigEndian) { bytes += $0 } }
  }

  /// 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    let (digits, words) = (Array("0123456789abcdef".utf8), words)
    return String(unsafeUninitializedCapacity: 64) { text in
      for index in 0..<64 {
        text[index] = digits[Int(words[index / 16] >> UInt64(60 - index % 16 * 4) & 15)]
      }
      return 64
    }
  }
}

/// The state of an image's original; the store keeps the raw value.
package enum OriginalState: Int, Sendable {
  case missing = 0
  case stored = 1
  /// An original is stored, but the feed now names another address.
  case stale = 2

  /// Whether an original is stored, stale or not.
  package var isStored: Bool { self != .missing }
}

/// The kind of an image's picture; the store keeps the raw value.
package enum PictureKind: Int64, Sendable, Equatable {
  /// The thumbnail that its feed names.
  case thumbnail = 0
  case original = 1
  /// A thumbnail made from the original, because the feed names none or one that cannot be fetched.
  case madeThumbnail = 2
}

/// A recent failure to fetch or make a picture of an image.
package struct PictureFailure: Sendable, Equatable {
  package var kind: PictureKind
  /// The reason in words.
  package var reason: String
  /// The number of consecutive failures with the same reason.
  package var tries: Int
  package var failed: Date
  /// The date from which a sync may try again.
  package var retry: Date

  package init(kind: PictureKind, reason: String, tries: Int, failed: Date, retry: Date) {
    self.kind = kind
    self.reason = reason
    self.tries = tries
    self.failed = failed
    self.retry = retry
  }
}

/// Recent failures to fetch or make pictures of one feed, all for the same reason.
package struct FailureGroup: Sendable, Equatable {
  package var kind: PictureKind
  package var count: Int
  /// The reason in words.
  package var reason: String
  /// The date from which a sync may try the first of them again.
  package var retry: Date

  package init(kind: PictureKind, count: Int, reason: String, retry: Date) {
    self.kind = kind
    self.count = count
    self.reason = reason
    self.retry = retry
  }
}

extension [FailureGroup] {
  /// Adds a failure, and keeps the most frequent reason first.
  package mutating func add(_ failure: PictureFailure) {
    guard
      let index = firstIndex(where: { $0.kind == failure.kind && $0.reason == failure.reason })
    else {
      let (kind, reason, retry) = (failure.kind, failure.reason, failure.retry)
      return append(FailureGroup(kind: kind, count: 1, reason: reason, retry: retry))
    }
    self[index].count += 1
    self[index].retry = Swift.min(self[index].retry, failure.retry)
    if index > 0, self[index].count > self[index - 1].count { swapAt(index, index - 1) }
  }
}

/// The facts about a picture that a decoder reads from its header.
package struct PictureFacts: Sendable, Equatable {
  /// The format, by content.
  package var format: ImageFormat
  /// Width in pixels as stored, before rotation.
  package var width: Int
  /// Height in pixels as stored, before rotation.
  package var height: Int
  /// The orientation of EXIF, 1 to 8 (EXIF 2.32, section 4.6.4, tag 274); 1 is upright.
  package var orientation: Int
  /// Width and height in pixels after rotation.
  package var upright: (width: Int, height: Int) {
    orientation >= 5 ? (height, width) : (width, height)
  }
  /// Whether it has several frames or pages.
  package var isAnimated: Bool
  /// Whether parts of it may be transparent.
  package var hasAlpha: Bool
  /// What is drawn in place of what the file says; nil when the picture is drawn as it is.
  package var substitute: PictureSubstitute?

  package init(
    format: ImageFormat,
    width: Int,
    height: Int,
    orientation: Int,
    isAnimated: Bool,
    hasAlpha: Bool,
    substitute: PictureSubstitute? = nil
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.isAnimated = isAnimated
    self.hasAlpha = hasAlpha
    self.substitute = substitute
  }
}

/// A part of the sandbox that protects the machine from a malicious picture.
///
/// The raw value is its bit in a decoder's greeting.
package enum DecoderProtection: UInt16, Sendable, CaseIterable {
  /// libvips uses only loaders that it trusts with untrusted files.
  case trustedLoadersOnly
  /// Memory, processor time, file size and open files are limited.
  case resourceLimits
  /// The process cannot gain privileges, and other processes cannot inspect it.
  case noNewPrivileges
  /// Landlock denies access to all files.
  case noFiles
  /// Landlock denies access to TCP ports.
  case noPorts
  /// Only a few system calls are allowed; the process cannot open files, make sockets or start programs.
  case systemCallFilter
  /// The process ends when the program that started it ends.
  case endsWithParent
}
