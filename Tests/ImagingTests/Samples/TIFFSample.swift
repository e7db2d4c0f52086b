/// Writes TIFF files without compression, in one strip (TIFF 6.0).
struct TIFFSample {
  var width: Int
  var height: Int
  /// Red, green and blue, row by row.
  var pixels: [UInt8]
  /// The photometric interpretation (tag 262), the compression (259) and the sample format (339).
  var colours = 2
  var compression = 1
  var sampleType = 1
  /// Bits per sample.
  var bits = 8
  /// The offset of the next directory; 0 for none, 8 for the same one again.
  var nextDirectory = 0

  var bytes: [UInt8] {
    let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 3, 1, width), (257, 3, 1, height), (258, 3, 3, 0), (259, 3, 1, compression),
      (262, 3, 1, colours),
      (273, 4, 1, 0), (277, 3, 1, 3), (278, 3, 1, height), (279, 4, 1, pixels.count),
      (339, 3, 1, sampleType),
    ]
    let afterDirectory = 8 + 2 + 12 * entries.count + 4
    var file = Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2)
    for var entry in entries {
      if entry.tag == 258 { entry.value = afterDirectory }
      if entry.tag == 273 { entry.value = afterDirectory + 6 }
      file += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
      file += little(entry.value, 4)
    }
    return file + little(nextDirectory, 4) + little(bits, 2) + little(bits, 2) + little(bits, 2)
      + pixels
  }

  private func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
