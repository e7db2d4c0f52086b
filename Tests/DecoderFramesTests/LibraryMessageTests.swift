import DecoderFrames
import Models
import Testing

/// The reasons behind libraries' messages, which pictures and damaged copies of them gave.
struct LibraryMessageTests {
  static let messages: [(ImageFormat, String, Refusal)] = [
    (
      .jpeg, "VipsJpeg: Premature end of input file",
      .undecodable(message: "Premature end of input file")
    ),
    (
      .jpeg, "VipsJpeg: Corrupt JPEG data: premature end of data segment",
      .undecodable(message: "Corrupt JPEG data: premature end of data segment")
    ),
    (.jpeg, "VipsJpeg: Unsupported JPEG data precision 12", .undrawn(.jpeg, .twelveBits)),
    (.jpeg, "VipsJpeg: Unsupported JPEG process: SOF type 0xc3", .undrawn(.jpeg, .losslessJPEG)),
    (
      .jpeg, "VipsJpeg: Sorry, arithmetic coding is not implemented",
      .undrawn(.jpeg, .arithmeticJPEG)
    ),
    (.png, "vipspng: libpng read error", .undecodable(message: "libpng read error")),
    (
      .heic, "heif: Invalid input: Unspecified: Metadata not correctly assigned to image (2.0)",
      .undrawn(.heic, .newerForm)
    ),
    (
      .heic, "heif: Unsupported feature: Unsupported codec (4.3000)",
      .undrawn(.heic, .missingCodec)
    ),
    (
      .heic, "heif: Plugin loading error: dlopen: No such file or directory (8.4000)",
      .undrawn(.heic, .missingCodec)
    ),
    (
      .avif, "heif: Memory allocation error: Security limit exceeded (6.1000)",
      .tooMuchMemory(limit: 384)
    ),
    (
      .heic, "heif: Invalid input: Unexpected end of file (2.100)",
      .undecodable(message: "Invalid input: Unexpected end of file (2.100)")
    ),
    (
      .tiff, "tiff2vips: LERC compression support is not configured",
      .undrawn(.tiff, .missingCodec)
    ),
    (.tiff, "tiff2vips: out of memory -- 3 MB", .tooMuchMemory(limit: 384)),
    (
      .webP, "webp: unable to parse image\nVips: 1",
      .undecodable(message: "unable to parse image")
    ),
    (
      .heic, "VipsSource: bad seek to 4922\nheifload: undefined bits per pixel\n",
      .undecodable(message: "undefined bits per pixel")
    ),
    (
      .avif,
      "heif: Unsupported file-type: Unspecified: File does not include any supported brands (3.0)",
      .undrawn(.avif, .newerForm)
    ),
    (.jpeg2000, "jp2kload: components differ in geometry", .undrawn(.jpeg2000, .newerForm)),
    (
      .jpeg2000,
      "jp2kload: Error with SIZ marker: negative or zero image size (64 x 0)\n\njp2kload: Marker handler "
        + "function failed to read the marker segment\n\n",
      .undecodable(message: "Marker handler function failed to read the marker segment")
    ),
    (
      .tiff, "tiff2vips: unable to open source for input",
      .undecodable(message: "unable to open source for input")
    ),
    (.gif, "gifload: no frames in GIF", .undecodable(message: "no frames in GIF")),
    (.png, "\n", .undecodable(message: "")), (.webP, "\n", .refused(message: "")),
    (.jpeg2000, "jp2kload: too many image bands", .refused(message: "too many image bands")),
    (.gif, "gifload: something new", .refused(message: "something new")),
    (.gif, "", .refused(message: "")),
  ]

  @Test(arguments: messages)
  func `a message tells its reason`(format: ImageFormat, message: String, reason: Refusal) {
    let refusal = Refusal.refused(message: message)

    #expect(refusal.explained(of: format, memoryLimit: 384) == reason)
  }

  @Test func `a reason that is known stays`() {
    let refusal = Refusal.undrawn(.tiff, .oldJPEG)

    #expect(refusal.explained(of: .tiff, memoryLimit: 384) == refusal)
  }
}
