/// Writes TIFF files without compression, each picture in one strip (TIFF 6.0).
struct TIFFSample {
  var width: Int
  var height: Int
  /// Red, green and blue, or grey, row by row; or the bytes of another compression.
  var pixels: [UInt8]
  /// The photometric interpretation (tag 262), the compression (259) and the sample format (339).
  var colours = 2
  var compression = 1
  var sampleType = 1
  /// Bits per sample.
  var bits = 8
  /// Samples per pixel, 1 or 3.
  var samples = 3
  /// The offset of the next directory; 0 for none, 8 for the same one again.
  var nextDirectory = 0
  var profile: [UInt8] = []
  /// The kind of the picture (254), its orientation (274) and other tags with one number.
  var numbers: [(tag: Int, value: Int)] = []
  /// Pictures in directories below this one.
  var below: [TIFFSample] = []
  /// Pictures in the next directories.
  var following: [TIFFSample] = []

  var bytes: [UInt8] { Array("II*\0".utf8) + little(8, 4) + directory(at: 8) }

  /// A directory and its pixels, which begin after it, with the pictures that follow them.
  private func directory(at start: Int) -> [UInt8] {
    var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 3, 1, width), (257, 3, 1, height), (259, 3, 1, compression), (262, 3, 1, colours),
      (277, 3, 1, samples), (278, 3, 1, height), (279, 4, 1, pixels.count), (339, 3, 1, sampleType),
    ]
    entries += numbers.map { ($0.tag, 4, 1, $0.value) }
    let count = entries.count + 2 + (profile.isEmpty ? 0 : 1) + (below.isEmpty ? 0 : 1)
    let bitsStart = start + 2 + 12 * count + 4
    entries.append((258, 3, samples, samples == 1 ? bits : bitsStart))
    var rest = (0..<3).flatMap { _ in little(bits, 2) }
    entries.append((273, 4, 1, bitsStart + rest.count))
    rest += pixels
    if !profile.isEmpty {
      entries.append((34_675, 7, profile.count, bitsStart + rest.count))
      rest += profile
    }
    if let lower = below.first {
      entries.append((330, 4, 1, bitsStart + rest.count))
      rest += lower.directory(at: bitsStart + rest.count)
    }
    entries.sort { $0.tag < $1.tag }
    let list = entries.flatMap { entry in
      little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4) + little(entry.value, 4)
    }
    let next = following.first.map { _ in bitsStart + rest.count } ?? nextDirectory
    let end = following.first?.directory(at: bitsStart + rest.count) ?? []
    return little(count, 2) + list + little(next, 4) + rest + end
  }

  private func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
