/// A colour in eight bits a channel.
package struct RGBColour: Sendable, Equatable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  static let black = RGBColour(red: 0, green: 0, blue: 0)
  static let white = RGBColour(red: 255, green: 255, blue: 255)

  /// As libchafa takes it: 0xRRGGBB.
  var packed: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// Whether dark text is what can be read on it (luma of ITU-R BT.601).
  var isLight: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 127_500 }
}
