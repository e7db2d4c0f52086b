/// A line with a bar that fills: `[#####.....] 512 of 1,024 thumbnails`.
enum ProgressBar {
  private static let mostCells = 20

  /// The line, cut to what a terminal of so many columns shows without wrapping.
  static func line(_ content: StatusLine.Content, columns: Int) -> String {
    // In a narrow window the text needs the room more.
    let cells = min(mostCells, columns / 4)
    let line = content.fraction.map { bar($0, cells) + " " + content.text } ?? content.text
    let room = max(0, columns - 1)
    return TextWidth.columns(of: line) <= room ? line : TextWidth.padded(line, to: room)
  }

  private static func bar(_ fraction: Double, _ cells: Int) -> String {
    let filled = Int(min(1, max(0, fraction)) * Double(cells))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: cells - filled) + "]"
  }
}
