import TestSupport
import Testing
import Workers

@testable import Scenes

@Suite(.timeLimit(.minutes(60)))
struct SharpeningTests {
  private let part = PictureSource.file(path: "/partial/7")
  private let decoder = ImageDecodingStub { _ in .success(.plain()) }
  private let time = Locked(ContinuousClock.now)

  @Test func `decodes one picture at a time, and the next when it is due`() async {
    let (pictures, teller) = AsyncStream.makeStream(of: DecodedPixels?.self)
    let sharpening = sharpening { teller.yield($0) }
    var iterator = pictures.makeAsyncIterator()

    sharpening.take(part)
    pass(.milliseconds(500))
    sharpening.take(part)
    sharpening.take(part)
    let first = await iterator.next()
    pass(.milliseconds(100))
    sharpening.noteDrawn()
    // Decoding and drawing may take a tenth of the time: 0.1 seconds of work require 0.9 seconds of rest.
    pass(.milliseconds(899))
    sharpening.take(part)
    #expect(decoder.questions.count == 1)
    pass(.milliseconds(1))
    sharpening.take(part)
    let second = await iterator.next()

    #expect([first, second] == [.plain(), .plain()])
    #expect(decoder.questions.count == 2)
  }

  @Test func `takes what is missing from the thumbnail`() async {
    let (pictures, teller) = AsyncStream.makeStream(of: DecodedPixels?.self)
    let grey = ImageDecodingStub { _ in .success(.plain([128, 128, 128, 255])) }
    let sharpening = sharpening(grey, thumbnail: .plain()) { teller.yield($0) }
    var iterator = pictures.makeAsyncIterator()

    pass(.milliseconds(500))
    sharpening.take(part)

    #expect(await iterator.next() == .plain())
  }

  @Test func `tells of a part that cannot be decoded, so that the next one is tried`() async {
    let (pictures, teller) = AsyncStream.makeStream(of: DecodedPixels?.self)
    let sharpening = sharpening(ImageDecodingStub()) { teller.yield($0) }
    var iterator = pictures.makeAsyncIterator()

    pass(.milliseconds(500))
    sharpening.take(part)

    #expect(await iterator.next() == .some(nil))
  }

  private func pass(_ duration: Duration) { time.withLock { $0 += duration } }

  private func sharpening(
    _ decoder: ImageDecodingStub? = nil,
    thumbnail: DecodedPixels? = nil,
    receive: @escaping @Sendable (DecodedPixels?) -> Void
  ) -> Sharpening {
    Sharpening(
      decoder: decoder ?? self.decoder,
      room: PixelSize(width: 800, height: 600),
      thumbnail: thumbnail,
      now: { [time] in time.withLock { $0 } },
      receive: receive
    )
  }
}
