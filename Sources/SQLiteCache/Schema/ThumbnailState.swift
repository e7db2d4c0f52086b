/// Whether an image's thumbnail is as its feed has it; the raw value is what the store keeps.
enum ThumbnailState: Int64 {
  /// The feed names none, and none has been made of the original that it names.
  case unmade = 0
  /// The one that the feed names.
  case stored = 1
  /// Missing, or stored from an address that the feed has changed since.
  case wanted = 2
  /// The feed names none, and one has been made of the original.
  case made = 3

  /// Whether it is there and right, whoever has made it.
  var isRight: Bool { self == .stored || self == .made }
}
