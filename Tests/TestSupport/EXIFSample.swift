/// Writes EXIF in either byte order (EXIF 2.32, section 4.6): a directory, and the directories of the photograph and of
/// GPS, with their values behind each.
package struct EXIFSample {
  /// A tag with the bytes of its values.
  package struct Tag {
    var number: Int
    var type: Int
    var count: Int
    var bytes: [UInt8]
  }

  package var isBigEndian: Bool
  package var first: [Tag] = []
  package var photograph: [Tag] = []
  package var place: [Tag] = []

  package init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  package func number(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }

  /// A text with its zero (type 2).
  package func text(_ number: Int, _ text: String) -> Tag {
    Tag(number: number, type: 2, count: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
  }

  /// Numbers of 16 bits (type 3).
  package func short(_ number: Int, _ values: Int...) -> Tag {
    Tag(number: number, type: 3, count: values.count, bytes: values.flatMap { self.number($0, 2) })
  }

  /// Numbers of 32 bits (type 4).
  package func long(_ number: Int, _ values: Int...) -> Tag {
    Tag(number: number, type: 4, count: values.count, bytes: values.flatMap { self.number($0, 4) })
  }

  /// Fractions (type 5).
  package func fractions(_ number: Int, _ values: (Int, Int)..., type: Int = 5) -> Tag {
    let bytes = values.flatMap { self.number($0.0, 4) + self.number($0.1, 4) }
    return Tag(number: number, type: type, count: values.count, bytes: bytes)
  }

  /// A tag whose type and count may lie.
  package func tag(_ number: Int, type: Int, count: Int, _ bytes: [UInt8]) -> Tag {
    Tag(number: number, type: type, count: count, bytes: bytes)
  }

  /// The bytes without a mark before them, as in PNG, WebP and TIFF.
  package var bytes: [UInt8] {
    let pointers = (photograph.isEmpty ? 0 : 1) + (place.isEmpty ? 0 : 1)
    let values = first.reduce(0) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
    var next = 8 + 2 + 12 * (first.count + pointers) + 4 + values
    var (tags, rest) = (first, [UInt8]())
    for (number, below) in [(0x8769, photograph), (0x8825, place)] where !below.isEmpty {
      tags.append(long(number, next))
      let directory = directory(below, at: next)
      rest += directory
      next += directory.count
    }
    let mark: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    return mark + number(42, 2) + number(8, 4) + directory(tags, at: 8) + rest
  }

  private func directory(_ tags: [Tag], at start: Int) -> [UInt8] {
    var (entries, values) = (number(tags.count, 2), [UInt8]())
    let valuesStart = start + 2 + 12 * tags.count + 4
    for tag in tags {
      entries += number(tag.number, 2) + number(tag.type, 2) + number(tag.count, 4)
      if tag.bytes.count <= 4 {
        entries += tag.bytes + [UInt8](repeating: 0, count: 4 - tag.bytes.count)
      } else {
        entries += number(valuesStart + values.count, 4)
        values += tag.bytes
      }
    }
    return entries + number(0, 4) + values
  }

  /// All that is read, of a picture of the Eiffel Tower.
  package static func tower(isBigEndian: Bool = false) -> EXIFSample {
    var sample = EXIFSample(isBigEndian: isBigEndian)
    sample.first = [
      sample.text(0x010F, "FUJIFILM"), sample.text(0x0110, "X100V"), sample.short(0x0112, 1),
    ]
    sample.photograph = [
      sample.fractions(0x829A, (1, 250)), sample.fractions(0x829D, (28, 10)),
      sample.short(0x8827, 200), sample.text(0x9003, "2019:07:14 18:02:33"),
      sample.text(0x9011, "+02:00"), sample.fractions(0x920A, (230, 10)),
      sample.text(0x9291, "45"), sample.text(0xA434, "Fujinon 23mm F2"),
    ]
    sample.place = [
      sample.text(1, "N"), sample.fractions(2, (48, 1), (51, 1), (3_012, 100)),
      sample.text(3, "E"), sample.fractions(4, (2, 1), (17, 1), (4_002, 100)),
    ]
    return sample
  }
}
