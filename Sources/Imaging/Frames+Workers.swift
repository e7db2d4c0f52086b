import DecoderFrames
import Workers

extension PictureFacts {
  init(_ facts: FrameFacts) {
    self.init(
      format: facts.format,
      width: facts.width,
      height: facts.height,
      orientation: facts.orientation,
      isAnimated: facts.isAnimated,
      hasAlpha: facts.hasAlpha
    )
  }
}

extension ImagingError {
  init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .notAPicture(let kind): .notAPicture(looksLike: Self.harmless(kind))
      case .unsupported(let format): .unsupported(format)
      case .undrawn(let format, let kind): .undrawn(format, kind)
      case .tooMuchMemory(let limit): .tooMuchMemory(limit: limit)
      case .tooManyPixels(let width, let height, let limit):
        .tooManyPixels(width: width, height: height, limit: limit)
      case .tooManyDecodedBytes(let bytes, let limit): .tooManyDecodedBytes(bytes, limit: limit)
      case .resultTooLarge(let limit): .resultTooLarge(limit: limit)
      case .undecodable(let message): .undecodable(message: Self.harmless(message))
      }
  }

  /// A message that is of one line and nothing but text, whoever wrote it.
  private static func harmless(_ message: String) -> String {
    let scalars = message.unicodeScalars.map {
      $0.isASCII && $0.value >= 32 && $0.value < 127 ? $0 : " "
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension StartedDecoder {
  init(_ greeting: DecoderGreeting, process: Int) {
    let bits: [(ProtectionSet, DecoderProtection)] = [
      (.trustedLoadersOnly, .trustedLoadersOnly), (.resourceLimits, .resourceLimits),
      (.noNewPrivileges, .noNewPrivileges), (.noFiles, .noFiles), (.noPorts, .noPorts),
      (.systemCallFilter, .systemCallFilter), (.endsWithParent, .endsWithParent),
    ]
    let held = bits.filter { greeting.protections.contains($0.0) }.map(\.1)
    self.init(process: process, held: Set(held), library: greeting.library)
  }
}
