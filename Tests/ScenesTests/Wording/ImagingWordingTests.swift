import Models
import Testing
import Workers

@testable import Scenes

struct ImagingWordingTests {
  @Test(arguments: [
    (
      ImagingError.noDecoder(lookedAt: ["/a/gallery-decoder", "/b"]),
      "there is no decoder: nothing at '/a/gallery-decoder' or '/b'"
    ),
    (.cannotStart(message: "Out of memory"), "the decoder cannot be started: out of memory"),
    (.unreadable(path: "/x.jpg", message: "Permission denied"), "'/x.jpg': permission denied"),
    (.notAPicture(looksLike: "an HTML page"), "the data is not a picture but an HTML page"),
    (.unsupported(.svg), "the libvips of this machine does not read SVG"),
    (
      .tooManyPixels(width: 50_000, height: 50_000, limit: 500_000_000),
      "50,000 x 50,000 pixels, beyond the limit of 500 megapixels"
    ),
    (
      .tooManyDecodedBytes(1 << 30, limit: 288 << 20),
      "it takes 1.0 GiB of memory to decode, beyond the limit of 288 MiB"
    ),
    (.resultTooLarge(limit: 36_000_000), "more than 36 megapixels were asked for at once"),
    (.undecodable(message: "Premature end."), "the picture is damaged beyond decoding"),
    (
      .refused(message: "Something new."),
      "the decoder's library refuses the picture: something new"
    ),
    (.refused(message: ""), "the decoder's library refuses the picture"),
    (.undrawn(.jpeg, .twelveBits), "JPEG with twelve bits a sample is not drawn"),
    (
      .undrawn(.tiff, .floatSamples),
      "TIFF whose samples are floating-point numbers is not drawn"
    ),
    (.tooMuchMemory(limit: 384 << 20), "it takes more than 384 MiB of memory to decode"),
    (
      .tooMuchWork(seconds: 10),
      "decoding takes more than 10 seconds of processor time"
    ),
    (.timedOut(seconds: 20), "decoding took longer than 20 seconds"),
    (.crashed(signal: 11), "the decoder crashed over it (signal 11)"),
    (.wrongAnswer, "the decoder gave a wrong answer"), (.cancelled, "interrupted"),
  ])
  func `tells why a picture is not decoded`(_ error: ImagingError, _ reason: String) {
    #expect(Wording.reason(.imaging(error)) == reason)
    #expect(Failure.imaging(error).isCancellation == (error == .cancelled))
  }

  @Test func `tells which protections a decoder has`() {
    let all = StartedDecoder(
      process: 7,
      held: [.noFiles, .systemCallFilter],
      library: "libvips 8.14.1"
    )

    #expect(
      Wording.ready(all)
        == "decoder 7 is ready (libvips 8.14.1): no files (Landlock), few system calls (seccomp)"
        + "; this kernel lacks: trusted loaders only, limits on memory, time and files,"
        + " no new privileges, no ports (Landlock), ends with gallery; it draws all formats"
    )
  }

  @Test func `tells of nothing lacking when nothing is`() {
    let all = StartedDecoder(process: 7, held: Set(DecoderProtection.allCases), library: "libvips")

    #expect(!Wording.ready(all).contains("lacks"))
  }
}
