package import Models

/// The reason why a picture could not be decoded.
package enum ImagingError: Error, Sendable, Equatable {
  /// The decoder's program does not exist at any of these paths.
  case noDecoder(lookedAt: [String])
  /// The decoder cannot be started or reached; the text is the system's message.
  case cannotStart(message: String)
  /// The picture's own file cannot be read; the text is the system's message.
  case unreadable(path: String, message: String)
  /// It is not a picture; a noun with its article names what it looks like.
  case notAPicture(looksLike: String)
  /// The decoding library of this machine does not read this format.
  case unsupported(ImageFormat)
  /// A kind of picture that would be decoded wrongly, in a format that is supported.
  case undrawn(ImageFormat, UndrawnKind)
  /// The header claims more pixels than the limit.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Decoding would need this many bytes of memory.
  case tooManyDecodedBytes(Int, limit: Int)
  /// The decoder ran out of memory; the limit is in bytes.
  case tooMuchMemory(limit: Int)
  /// The result would have more pixels than the limit.
  case resultTooLarge(limit: Int)
  /// The picture is damaged; the message of the decoding library, made harmless, may be empty.
  case undecodable(message: String)
  /// A library refuses the picture for a reason that is not known here; the message is the library's, made harmless.
  case refused(message: String)
  /// Decoding took more processor time than the limit, in seconds.
  case tooMuchWork(seconds: Int)
  /// The decoder did not answer in time, in seconds; the machine may have been busy with other work.
  case timedOut(seconds: Int)
  /// A signal ended the decoder (signal(7)); 0 when it ended by itself.
  case crashed(signal: Int)
  /// The decoder's answer is invalid, untrue, or answers another request.
  case wrongAnswer
  case cancelled

  /// Whether the failure is the decoder's and not the picture's, so that every other picture would also fail.
  package var isOfDecoder: Bool {
    switch self {
    case .noDecoder, .cannotStart: true
    default: false
    }
  }

  /// Whether its message names files of this machine.
  package var namesFiles: Bool {
    if case .unreadable = self { true } else { isOfDecoder }
  }
}

/// A decoder that is ready for pictures, with its protections.
package struct StartedDecoder: Sendable, Equatable {
  /// The id of its process.
  package var process: Int
  /// The protections in force; an old kernel does not support all of them.
  package var held: Set<DecoderProtection>
  /// The decoding library and its version.
  package var library: String
  /// The formats that it draws on this machine.
  package var formats: Set<ImageFormat>

  package init(
    process: Int,
    held: Set<DecoderProtection>,
    library: String,
    formats: Set<ImageFormat> = Set(ImageFormat.allCases)
  ) {
    self.process = process
    self.held = held
    self.library = library
    self.formats = formats
  }
}
