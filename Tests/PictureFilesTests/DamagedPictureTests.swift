import Models
import TestSupport
import Testing

@testable import PictureFiles

/// Files as an attacker or a broken disk would make them.
///
/// Reading them never traps, and the facts about a file are consistent.
struct DamagedPictureTests {
  @Test(arguments: PictureBytes.all.indices)
  func `reads damaged files without trapping`(kind: Int) {
    var damage = Damage(seed: UInt64(kind) &+ 1)
    let original = PictureBytes.all[kind]

    for _ in 0..<2_000 {
      let bytes = damage.damaged(original)
      let sample = damage.sample(of: bytes)
      let check = PictureCheck(sample)

      #expect((check == nil) == (ImageHeader(bytes) == nil))
      #expect(check.map { $0.info.bytes == sample.length } ?? true)
      #expect((check?.info.width == nil) == (check?.info.height == nil))
      let noun = check.map { ContentKind.noun(for: $0.info.format) }
      #expect(noun == nil || noun == ContentKind(bytes).noun)
    }
  }

  @Test(arguments: PictureBytes.all.indices)
  func `reads a file cut anywhere without trapping`(kind: Int) {
    let original = PictureBytes.all[kind]

    for length in 0..<original.count {
      let check = PictureCheck(Array(original.prefix(length)))
      #expect(check?.info.bytes ?? length == length)
    }
  }
}

/// Random damage that is the same in every run (SplitMix64).
private struct Damage: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Changes a few bytes, mostly to values that lengths and markers depend on, and perhaps cuts the file.
  mutating func damaged(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...6, using: &self) {
      let place = Int.random(in: bytes.indices, using: &self)
      let values: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xD9, 0xFF, .random(in: 0...255, using: &self)]
      bytes[place] = values.randomElement(using: &self) ?? 0
    }
    if Bool.random(using: &self) { return bytes }
    return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &self)))
  }

  /// A sample of the whole file, or of the ends of a file that may claim to be longer.
  mutating func sample(of bytes: [UInt8]) -> PictureSample {
    let tail = bytes.suffix(Int.random(in: 0...bytes.count, using: &self))
    let more = [0, 1, 9, 1_000, .max - bytes.count].randomElement(using: &self) ?? 0
    return Bool.random(using: &self)
      ? PictureSample(bytes)
      : PictureSample(head: bytes, tail: Array(tail), length: bytes.count + more)
  }
}
