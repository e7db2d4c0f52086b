/// Whether an image's thumbnail is as its feed has it; the raw value is what the store keeps.
enum ThumbnailState: Int64 {
  /// The feed names none.
  case none = 0
  case stored = 1
  /// Missing, or stored from an address that the feed has changed since.
  case wanted = 2
}
