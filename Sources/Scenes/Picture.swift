/// Decoded pixels, ready for a display to encode; nothing else is known of them here.
package struct Picture: Sendable, Equatable {
  /// In pixels, at least 1.
  package let width: Int
  package let height: Int
  /// Four bytes a pixel, row by row from the top: red, green, blue, opacity (unassociated).
  package let bytes: [UInt8]

  /// Takes the pixels; nil when they are not exactly as many as the size says.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0 else { return nil }
    let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard !isTooLarge, bytes.count / 4 == pixels, bytes.count % 4 == 0 else { return nil }
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}
