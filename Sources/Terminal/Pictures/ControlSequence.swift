/// A control sequence that came from a terminal (ECMA-48, sections 5.4 and 5.6).
enum ControlSequence: Equatable {
  /// `CSI` with its parameters and the byte that ends it.
  case command(String, final: Character)
  /// The text of an `APC` string.
  case applicationCommand(String)
  /// The text of an `OSC` string.
  case systemCommand(String)
}
