import Models
import TestSupport
import Testing

@testable import PictureFiles

/// What cameras have written into pictures.
struct EXIFTests {
  static let tower: PictureDetails = {
    var details = PictureDetails()
    (details.camera, details.lens) = ("FUJIFILM X100V", "Fujinon 23mm F2")
    (details.exposure, details.aperture) = (4_000_000, 280)
    (details.sensitivity, details.focalLength) = (200, 2_300)
    // 2019-07-14T18:02:33.450 on a clock in UTC.
    details.taken = DateTaken(clock: 1_563_127_353_450, offset: 120)
    details.place = PicturePlace(latitude: 48_858_367, longitude: 2_294_450)
    return details
  }()

  private func details(_ change: (inout EXIFSample) -> Void) -> PictureDetails {
    var sample = EXIFSample.tower()
    change(&sample)
    return PictureDetails(exif: sample.bytes)
  }

  @Test(arguments: [false, true])
  func `EXIF is read in both byte orders, with and without its mark`(isBigEndian: Bool) {
    let bytes = EXIFSample.tower(isBigEndian: isBigEndian).bytes

    #expect(PictureDetails(exif: bytes) == Self.tower)
    #expect(PictureDetails(exif: Array("Exif\0\0".utf8) + bytes) == Self.tower)
  }

  @Test(arguments: [
    ("NIKON CORPORATION", "NIKON D850", "NIKON D850"), ("Canon", "Canon EOS R5", "Canon EOS R5"),
    ("Apple", "iPhone 15", "Apple iPhone 15"), ("  SONY ", "ILCE-7M4\n", "SONY ILCE-7M4"),
    ("", "X100V", "X100V"), ("Leica", " ", "Leica"), ("", "", nil),
  ])
  func `a camera is its maker and its model, without a repetition`(
    maker: String,
    model: String,
    camera: String?
  ) {
    let found = details { sample in
      sample.first = [sample.text(0x010F, maker), sample.text(0x0110, model)]
    }

    #expect(found.camera == camera)
  }

  // MARK: Dates

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2019:02:29 10:00:00", "2019:13:01 10:00:00",
    "2019:07:14 24:00:00", "2019:07:14 18:60:33", "2019:07:14", "14.07.2019 18:02:33", "",
    "1799:12:31 23:59:59",
  ])
  func `a date that does not exist is absent`(text: String) {
    for tag in [0x9003, 0x9004] {
      let found = details { $0.photograph = [$0.text(tag, text)] }
      #expect(found.taken == nil)
    }
  }

  @Test(
    arguments: [
      ("-09:30", -570), ("Z", 0), ("+14:00", 840), ("   :  ", nil), ("+2:00", nil), ("+02:75", nil),
      ("+99:00", nil),
    ] as [(String, Int64?)]
  )
  func `an offset is absent where it is none`(text: String, minutes: Int64?) {
    let found = details { sample in
      sample.photograph = [sample.text(0x9003, "2020:02:29 00:00:00"), sample.text(0x9011, text)]
    }

    #expect(found.taken == DateTaken(clock: 1_582_934_400_000, offset: minutes))
  }

  // MARK: Numbers

  @Test func `a fraction without a denominator is absent, and its neighbours are not`() {
    let found = details { sample in
      sample.photograph = [
        sample.fractions(0x829A, (1, 0)), sample.fractions(0x829D, (0, 0)),
        sample.fractions(0x920A, (35, 1)),
      ]
    }

    #expect(found.exposure == nil)
    #expect(found.aperture == nil)
    #expect(found.focalLength == 3_500)
  }

  @Test func `the largest fractions and zeros do not overflow, and are no values of a camera`() {
    let most = Int(UInt32.max)
    let found = details { sample in
      sample.photograph = [
        sample.fractions(0x829A, (most, 1)), sample.fractions(0x829D, (most, most)),
        sample.fractions(0x920A, (0, 1)), sample.short(0x8827, 0),
      ]
    }

    #expect(found.exposure == nil)
    #expect(found.aperture == 100)
    #expect(found.focalLength == nil)
    #expect(found.sensitivity == nil)
  }

  @Test func `a negative fraction is absent`() {
    let found = details { sample in
      sample.photograph = [sample.fractions(0x829A, (-1, 250), type: 10)]
    }

    #expect(found.exposure == nil)
  }

  @Test func `a high sensitivity comes from the tag that has room for it`() {
    let high = details { sample in
      sample.photograph = [sample.short(0x8827, 65_535), sample.long(0x8832, 102_400)]
    }
    let unknown = details { $0.photograph = [$0.short(0x8827, 65_535)] }

    #expect(high.sensitivity == 102_400)
    #expect(unknown.sensitivity == nil)
  }

  // MARK: Places

  private static let places: [@Sendable (inout EXIFSample) -> Void] = [
    // No hemispheres.
    { $0.place = [$0.place[1], $0.place[3]] },
    { $0.place[0] = $0.text(1, "X") },
    // The zeros of a device without a fix.
    { sample in
      sample.place[1] = sample.fractions(2, (0, 1), (0, 1), (0, 1))
      sample.place[3] = sample.fractions(4, (0, 1), (0, 1), (0, 1))
    },
    { $0.place[1] = $0.fractions(2, (0, 0), (0, 0), (0, 0)) },
    { $0.place[1] = $0.fractions(2, (91, 1), (0, 1), (0, 1)) },
    { $0.place[3] = $0.fractions(4, (181, 1), (0, 1), (0, 1)) },
    { $0.place[1] = $0.fractions(2, (48, 1), (99, 1), (0, 1)) },
    { $0.place[1] = $0.fractions(2, (48, 1), (51, 1)) },
    { $0.place[1] = $0.short(2, 48, 51, 30) },
    { $0.place.append($0.text(9, "V")) },
  ]

  @Test(arguments: places.indices)
  func `a place that is none is absent, and the rest is not`(index: Int) {
    let found = details(Self.places[index])

    #expect(found.place == nil)
    #expect(found.camera == "FUJIFILM X100V")
  }

  @Test func `a place in the south and west is negative`() {
    let found = details { sample in
      sample.place = [
        sample.text(1, "S"), sample.fractions(2, (90, 1), (0, 1), (0, 1)), sample.text(3, "W"),
        sample.fractions(4, (10_050, 100), (0, 1), (0, 1)),
      ]
    }

    #expect(found.place == PicturePlace(latitude: -90_000_000, longitude: -100_500_000))
  }

  // MARK: Hostile files

  @Test(arguments: [false, true])
  func `cut anywhere, EXIF gives only whole values, and never traps`(isBigEndian: Bool) {
    let bytes = EXIFSample.tower(isBigEndian: isBigEndian).bytes
    for end in bytes.indices {
      let found = PictureDetails(exif: Array(bytes[..<end]))
      #expect(found.place == nil || found.place == Self.tower.place)
      #expect(found.lens == nil || found.lens == Self.tower.lens)
    }
    #expect(PictureDetails(exif: Array(bytes[..<40])).isEmpty)
    #expect(PictureDetails(exif: []).isEmpty)
  }

  @Test(arguments: [UInt8(0), 0x7F, 0x80, 0xFF])
  func `with any byte changed, EXIF never traps`(byte: UInt8) {
    var bytes = EXIFSample.tower().bytes
    for index in bytes.indices {
      let before = bytes[index]
      bytes[index] = byte
      let found = PictureDetails(exif: bytes)
      #expect(found == found.sound)
      bytes[index] = before
    }
  }

  @Test func `directories that name each other end`() {
    let found = details { sample in
      // The directory of the photograph and that of GPS are the first one.
      sample.first += [sample.long(0x8769, 8), sample.long(0x8825, 8)]
      sample.photograph = []
      sample.place = []
    }

    #expect(found.camera == "FUJIFILM X100V")
    #expect(found.place == nil)
  }

  @Test func `offsets and counts beyond the file give nothing`() {
    let most = Int(UInt32.max)
    let found = details { sample in
      sample.first = [
        sample.tag(0x010F, type: 2, count: most, sample.number(most, 4)),
        sample.tag(0x0110, type: 2, count: 200, sample.number(most - 3, 4)),
        sample.tag(0x829A, type: 5, count: most, sample.number(8, 4)), sample.long(0x8769, most),
      ]
      sample.photograph = []
      sample.place = []
    }

    #expect(found.isEmpty)
  }

  @Test func `a directory with more entries than there are bytes gives nothing`() {
    var bytes = EXIFSample.tower().bytes
    bytes.replaceSubrange(8..<10, with: [0xFF, 0xFF])

    #expect(PictureDetails(exif: bytes).isEmpty)
  }

  @Test func `values of other types than their tags' are absent`() {
    let found = details { sample in
      sample.first = [sample.short(0x010F, 65, 66, 67), sample.long(0x0110, 0x4142_4344)]
      sample.photograph = [
        sample.short(0x829A, 1), sample.text(0x829D, "2.8"), sample.fractions(0x8827, (200, 1)),
        sample.tag(0x9003, type: 7, count: 20, Array("2019:07:14 18:02:33\0".utf8)),
        sample.tag(0xA434, type: 99, count: 4, [65, 66, 67, 0]),
      ]
      sample.place = []
    }

    #expect(found.isEmpty)
  }

  @Test func `a text that is not UTF-8, or is too long, is absent`() {
    let found = details { sample in
      sample.first = [sample.tag(0x0110, type: 2, count: 5, [0x58, 0xC3, 0x28, 0xFF, 0])]
      sample.photograph = [sample.text(0xA434, String(repeating: "x", count: 250))]
      sample.place = []
    }

    #expect(found.isEmpty)
  }

  @Test func `a text has one line, without marks that turn it`() {
    let found = details { $0.photograph = [$0.text(0xA434, "A\r\nB\u{202E}C \u{7}D")] }

    #expect(found.lens == "A B C D")
  }

  @Test func `the tags of BigTIFF are the same`() {
    let little = PictureBytes.little
    let camera = Array("X100V\0".utf8)
    let entry = little(0x0110, 2) + little(2, 2) + little(camera.count, 8) + camera + [0, 0]
    let bytes: [UInt8] =
      [0x49, 0x49] + little(43, 2) + little(8, 2) + little(0, 2) + little(16, 8) + little(1, 8)
      + entry + little(0, 8)

    #expect(PictureDetails(exif: bytes).camera == "X100V")
  }
}
