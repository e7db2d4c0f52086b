/// The ways in which a terminal takes pictures.
package enum GraphicsProtocol: Sendable, Equatable {
  /// The kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol).
  case kitty
  /// iTerm2's inline images (iterm2.com/documentation-images.html).
  case iTerm2
  /// Sixel graphics (DEC STD 070, chapter 9).
  case sixel
  /// Block characters, which every terminal has.
  case symbols(SymbolColours)

  /// Whether a picture lies over the characters rather than being made of them.
  var isPixels: Bool {
    if case .symbols = self { false } else { true }
  }
}
