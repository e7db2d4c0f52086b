import Models
package import Workers

extension Wording {
  /// The reason why a picture could not be decoded.
  package static func reason(_ error: ImagingError) -> String {
    switch error {
    case .noDecoder(let places): "there is no decoder: \(list(of: places))"
    case .cannotStart(let message): "the decoder cannot be started: \(clause(message))"
    case .unreadable(let path, let message): "\(quoted(path)): \(clause(message))"
    case .notAPicture(let kind): "the data is not a picture but \(kind)"
    case .unsupported(let format): "the libvips of this machine does not read \(name(of: format))"
    case .undrawn(let format, let kind): undrawn(kind, name(of: format))
    case .tooManyPixels(let width, let height, let limit):
      "\(grouped(width)) x \(grouped(height)) pixels, beyond the limit of \(megapixels(limit))"
    case .tooManyDecodedBytes(let bytes, let limit):
      "it takes \(size(bytes)) of memory to decode, beyond the limit of \(size(limit))"
    case .tooMuchMemory(let limit): "it takes more than \(size(limit)) of memory to decode"
    case .resultTooLarge(let limit): "more than \(megapixels(limit)) were asked for at once"
    case .undecodable: "the picture is damaged beyond decoding"
    case .refused(let message):
      message.isEmpty
        ? "the decoder's library refuses the picture"
        : "the decoder's library refuses the picture: \(clause(message))"
    case .tooMuchWork(let seconds):
      "decoding takes more than \(count(seconds, "second")) of processor time"
    case .timedOut(let seconds): "decoding took longer than \(count(seconds, "second"))"
    case .crashed(let signal): "the decoder crashed over it (signal \(signal))"
    case .wrongAnswer: "the decoder gave a wrong answer"
    case .cancelled: "interrupted"
    }
  }

  private static func undrawn(_ kind: UndrawnKind, _ format: String) -> String {
    let reason =
      switch kind {
      case .floatSamples: "whose samples are floating-point numbers"
      case .oddSamples: "with samples of this length or type"
      case .colourModel: "with colours as YCbCr or L*a*b*"
      case .oldJPEG: "with JPEG of the old style inside"
      case .planarTiles: "with a tile for each colour"
      case .differingAlpha: "whose transparency is turned otherwise than its colours"
      case .packing: "whose pixels are packed this way"
      case .twelveBits: "with twelve bits a sample"
      case .losslessJPEG: "of the lossless kind"
      case .arithmeticJPEG: "with arithmetic coding"
      case .rawData: "with a camera's raw data and no preview"
      case .newerForm: "in a form that the libraries of this machine do not read"
      case .missingCodec: "in a coding that no library of this machine decodes"
      }
    return "\(format) \(reason) is not drawn"
  }

  /// The text that replaces a missing thumbnail.
  package static let noPicture = "no picture"

  /// The reason why no pictures are drawn.
  package static func undrawn(_ error: ImagingError) -> String {
    "cannot draw pictures: \(reason(error)) — only text is shown"
  }

  /// The reason why a stored picture is not drawn.
  static func undrawn(_ kind: String, of image: WebImage, _ error: ImagingError) -> String {
    if error.isOfDecoder { return undrawn(error) }
    return cannot("draw the \(kind) of", quoted(String(image.id)), because: reason(error))
  }

  /// The note on what is drawn in place of what a picture's file says.
  static func substitute(
    _ substitute: PictureSubstitute,
    for kind: String,
    of image: WebImage
  ) -> String {
    let manner =
      switch substitute {
      case .preview: "by the largest preview in its raw data"
      case .withoutCurve: "without the curve of its colours"
      case .withoutText: "without its text"
      }
    return "the \(kind) of \(quoted(String(image.id))) is drawn \(manner)"
  }

  /// The message that libchafa, the library that draws pictures, is not installed.
  package static let noDrawingLibrary =
    "cannot draw pictures: libchafa is not installed — gallery prints text only"

  /// The message that a decoder is ready, with the protections around it.
  package static func ready(_ decoder: StartedDecoder) -> String {
    let held = DecoderProtection.allCases.filter(decoder.held.contains)
    let lacking = DecoderProtection.allCases.filter { !decoder.held.contains($0) }
    let names = held.isEmpty ? "no protection" : held.map(name(of:)).joined(separator: ", ")
    let lack = lacking.map(name(of:)).joined(separator: ", ")
    let undrawn = ImageFormat.allCases.filter { !decoder.formats.contains($0) }
    return "decoder \(decoder.process) is ready (\(decoder.library)): \(names)"
      + (lacking.isEmpty ? "" : "; this kernel lacks: \(lack)")
      + "; \(drawing(decoder.formats))"
      + (undrawn.isEmpty ? "" : ", not \(undrawn.map(name(of:)).joined(separator: ", "))")
  }

  /// The formats that a decoder draws.
  private static func drawing(_ formats: Set<ImageFormat>) -> String {
    if formats.count == ImageFormat.allCases.count { return "it draws all formats" }
    let names = ImageFormat.allCases.filter(formats.contains).map(name(of:))
    return "it draws \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
  }

  /// The reason why an original is not opened.
  static func reason(_ error: OpeningError) -> String {
    switch error {
    case .activeContent(let format):
      "\(name(of: format)) can hold programs, which a viewer may run"
    case .noProgram(let name): "there is no \(quoted(name)) in PATH"
    case .cannotStart(let name, let message):
      "\(quoted(name)) cannot be started: \(clause(message))"
    }
  }

  private static func name(of protection: DecoderProtection) -> String {
    switch protection {
    case .trustedLoadersOnly: "trusted loaders only"
    case .resourceLimits: "limits on memory, time and files"
    case .noNewPrivileges: "no new privileges"
    case .noFiles: "no files (Landlock)"
    case .noPorts: "no ports (Landlock)"
    case .systemCallFilter: "few system calls (seccomp)"
    case .endsWithParent: "ends with gallery"
    }
  }

  private static func list(of places: [String]) -> String {
    "nothing at \(places.map(quoted).joined(separator: " or "))"
  }

  private static func megapixels(_ pixels: Int) -> String {
    count(pixels / 1_000_000, "megapixel")
  }
}
