/// Words under pictures, each in its own columns of one line.
enum Caption {
  /// The line: what is too long is cut, what could act on the terminal is made harmless.
  static func line(_ captions: [String], columns: Int, gap: Int) -> String {
    let cells = captions.map { caption in
      ReadingOrder.kept(TextWidth.padded(HarmlessText.line(caption), to: columns))
    }
    return TextWidth.trimmed(cells.joined(separator: String(repeating: " ", count: gap)))
  }
}
