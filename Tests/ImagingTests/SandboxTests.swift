import Foundation
import Glibc
import Imaging
import Models
import Testing
import Threading
import Workers

/// The kernel's own data about a decoder that has decoded a picture.
struct LockdownTests {
  let test = TestPool(processes: 1)

  @Test func `the filter of system calls is in place in every thread`() async throws {
    _ = try await test.pool.thumbnail(of: .bytes(EncodedSamples.avif), longestSide: 8)
    let process = try #require(test.processes.first)
    let folder = "/proc/\(process)/task"
    for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let place = "\(folder)/\(thread)"
      guard let status = try? String(contentsOfFile: "\(place)/status", encoding: .utf8) else {
        // A thread of the decoder's libraries may end at any time, but not the first one.
        #expect(!FileManager.default.fileExists(atPath: place) && thread != "\(process)")
        continue
      }

      #expect(status.contains("\nNoNewPrivs:\t1\n"))
      #expect(status.contains("\nSeccomp:\t2\n"))
    }
  }

  @Test func `its limits hold`() async throws {
    _ = try await test.pool.inspect(.bytes(Picture.png))
    let process = try #require(test.processes.first)
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)

    for (name, amount) in [
      ("Max file size", 0), ("Max open files", 16), ("Max core file size", 0),
      ("Max data size", 384 << 20),
    ] {
      let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
      let amounts = line.dropFirst(name.count).split(separator: " ").prefix(2)
      #expect(amounts == ["\(amount)", "\(amount)"], "\(line)")
    }
  }

  @Test func `started by hand, it says what it is for`() throws {
    let (reader, writer) = try ChildProcess.pipe()
    let decoder = try #require(TestPool.built.candidates.first)
    let process = try ChildProcess([decoder], errors: writer)
    close(writer)
    let said = try FileHandle(fileDescriptor: reader, closeOnDealloc: true).readToEnd()
    let text = String(decoding: said ?? Data(), as: UTF8.self)

    #expect(process.wait() == 64)
    #expect(text.hasPrefix("gallery-decoder works for gallery"))
  }

  @Test func `it lists the formats of this machine`() async throws {
    let (reader, writer) = try ChildProcess.pipe()
    let decoder = try #require(TestPool.built.candidates.first)
    let process = try ChildProcess([decoder, "--formats"], output: writer)
    close(writer)
    let said = try FileHandle(fileDescriptor: reader, closeOnDealloc: true).readToEnd()
    let lines = String(decoding: said ?? Data(), as: UTF8.self).split(separator: "\n")
    _ = try await test.pool.inspect(.bytes(Picture.png))
    let formats = try #require(test.started.withLock { $0.first }?.formats)

    #expect(process.wait() == 0)
    #expect(lines.count == ImageFormat.allCases.count)
    #expect(Set(lines.compactMap { ImageFormat(mediaType: String($0)) }) == formats)
    #expect(formats.isSuperset(of: [.jpeg, .png, .gif, .webP, .bmp, .ico, .pnm]))
  }
}

/// Pictures that exceed a limit, and pictures that only seem to.
@Suite(.serialized)
struct LimitTests {
  static let pool = TestPool(processes: 1)

  private var pool: ImageDecoderPool { Self.pool.pool }

  @Test func `a bomb is refused by its header`() async {
    let png = PNGSample(width: 50_000, height: 50_000) { _ in [] }

    await #expect(
      throws: ImagingError.tooManyPixels(width: 50_000, height: 50_000, limit: 500_000_000)
    ) {
      try await pool.thumbnail(of: .bytes(png.bytes), longestSide: 512)
    }
  }

  @Test func `an interlaced picture that does not fit into memory is refused`() async {
    let png = PNGSample(width: 20_000, height: 20_000, isInterlaced: true) { _ in [] }

    await #expect(throws: ImagingError.tooManyDecodedBytes(1_200_000_000, limit: 288 << 20)) {
      try await pool.thumbnail(of: .bytes(png.bytes), longestSide: 512)
    }
  }

  @Test func `the packed text of a PNG is not read`() async throws {
    let png = PNGSample(width: 32, height: 16, texts: 300, row: Picture.row)
    let fresh = TestPool(processes: 1)
    let made = try await fresh.pool.thumbnail(of: .bytes(png.bytes), longestSide: 32)

    #expect((made.info.width, made.info.height) == (32, 16))
    #expect(fresh.peakMemory < 150_000_000)
  }

  @Test func `an AVIF that its library finds too large is refused for its memory`() async {
    var avif = EncodedSamples.avif
    let extent = Array("ispe".utf8) + [0, 0, 0, 0]
    if let place = avif.firstRange(of: extent)?.upperBound {
      avif.replaceSubrange(place..<place + 8, with: [0, 0, 0x42, 0x68, 0, 0, 0x42, 0x68])
    }

    await #expect(throws: ImagingError.tooManyDecodedBytes(1_734_000_000, limit: 288 << 20)) {
      try await pool.thumbnail(of: .bytes(avif), longestSide: 512)
    }
  }

  @Test func `a scan of 200 megapixels gets its thumbnail`() async throws {
    let jpeg = JPEGSample(columns: 2_048, rows: 1_600)
    let made = try await pool.thumbnail(of: .bytes(jpeg.bytes), longestSide: 512)

    #expect((made.source.width, made.source.height) == (16_384, 12_800))
    #expect((made.info.width, made.info.height) == (512, 400))
    #expect(Self.pool.peakMemory < HostileTests.memoryLimit)
  }

  @Test func `a PNG of 200 megapixels gets its thumbnail`() async throws {
    let png = PNGSample(width: 20_000, height: 10_000, colour: .grey)
    let made = try await pool.thumbnail(of: .bytes(png.bytes), longestSide: 512)

    #expect((made.info.width, made.info.height) == (512, 256))
    #expect(Self.pool.peakMemory < HostileTests.memoryLimit)
  }

  @Test func `more pixels than fit into an answer are not made`() async {
    let jpeg = JPEGSample(columns: 1_000, rows: 1_000)
    let box = PixelSize(width: 8_000, height: 8_000)

    await #expect(throws: ImagingError.resultTooLarge(limit: 36_000_000)) {
      try await pool.pixels(of: .bytes(jpeg.bytes), fitting: box, extent: .whole)
    }
  }

  @Test func `names what is not a picture`() async {
    let page = Array("<!doctype html><html><body>Not found".utf8)

    await #expect(throws: ImagingError.notAPicture(looksLike: "an HTML page")) {
      try await pool.inspect(.bytes(page))
    }
  }
}
