/// The colours in which characters can be drawn.
package enum SymbolColours: Sendable, Equatable {
  case truecolour
  case indexed256
  case indexed16
  /// The terminal's own foreground and background: no colour is ever named.
  case none
}
