import Models
import TestSupport
import Testing
import Workers

struct CompletingTests {
  private static let grey: [UInt8] = [128, 128, 128, 255]
  private static let sharp: [UInt8] = [10, 20, 30, 255]
  private static let blurred: [UInt8] = [90, 90, 40, 255]

  private let thumbnail = DecodedPixels.plain(width: 3, height: 2, Self.blurred)

  @Test func `takes the rows that have not come from the thumbnail, and the edge above them`()
    async
  {
    let part = picture(6, 12, missing: 36..<72)
    let thumbnail = DecodedPixels.plain(width: 3, height: 6, Self.blurred)

    let complete = await part.completed(with: thumbnail)

    #expect(complete?.rgba == pixels(18, Self.sharp) + pixels(54, Self.blurred))
    #expect(complete?.source == part.source)
  }

  @Test(arguments: [((84, 1_680), 7), ((1_680, 84), 7), ((6, 120), 59), ((0, 0), 60)])
  func `takes the edge that a decoder has mixed with the missing part, at the size of the original`(
    source: (Int, Int),
    edge: Int
  ) async {
    let part = picture(6, 120, missing: 360..<720, of: source)
    let thumbnail = DecodedPixels.plain(width: 3, height: 60, Self.blurred)

    let complete = await part.completed(with: thumbnail)

    let kept = (60 - edge) * 6
    #expect(complete?.rgba == pixels(kept, Self.sharp) + pixels(720 - kept, Self.blurred))
  }

  @Test(arguments: [(1, 23), (2, 18), (3, 0), (4, 5), (5, 23), (6, 18), (7, 0), (8, 5)])
  func `knows the last corner of a picture that is turned`(orientation: Int, corner: Int) async {
    let part = picture(6, 4, missing: corner..<(corner + 1), orientation: orientation)

    let complete = await part.completed(with: thumbnail)

    #expect(complete?.rgba[(corner * 4)..<(corner * 4 + 4)] == Self.blurred[...])
  }

  @Test func `leaves a whole picture alone`() async {
    let whole = picture(6, 4, missing: 3..<9)

    #expect(await whole.completed(with: thumbnail) == whole)
  }

  @Test func `leaves the missing part as it is when there is no thumbnail`() async {
    let part = picture(6, 4, missing: 12..<24)

    #expect(await part.completed(with: nil) == part)
  }

  @Test func `makes nothing of a part whose thumbnail shows another section`() async {
    let part = picture(6, 4, missing: 12..<24)

    #expect(await part.completed(with: .plain(width: 3, height: 3)) == nil)
  }

  @Test func `makes nothing of a part of another format`() async {
    #expect(await DecodedPixels.plain(format: .png).completed(with: nil) == nil)
  }

  @Test func `mixes what lies between two pixels of the thumbnail`() async {
    var thumbnail = DecodedPixels.plain(width: 2, height: 1, [0, 0, 0, 255])
    thumbnail.rgba.replaceSubrange(4..<7, with: [200, 100, 40])

    let complete = await picture(4, 2, missing: 0..<8).completed(with: thumbnail)

    #expect(
      complete?.rgba.prefix(16) == [
        0, 0, 0, 255, 50, 25, 10, 255, 150, 75, 30, 255, 200, 100, 40, 255,
      ]
    )
  }

  private func picture(
    _ width: Int,
    _ height: Int,
    missing: Range<Int>,
    of source: (Int, Int) = (6_000, 4_000),
    orientation: Int = 1
  ) -> DecodedPixels {
    var picture = DecodedPixels.plain(
      width: width,
      height: height,
      Self.sharp,
      of: (width: source.0, height: source.1),
      orientation: orientation
    )
    let bytes = (missing.lowerBound * 4)..<(missing.upperBound * 4)
    picture.rgba.replaceSubrange(bytes, with: pixels(missing.count, Self.grey))
    return picture
  }

  private func pixels(_ count: Int, _ colour: [UInt8]) -> [UInt8] {
    (0..<count).flatMap { _ in colour }
  }
}
