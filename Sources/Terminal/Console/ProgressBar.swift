/// A line with a bar that fills: `[#####.....] 512 of 1,024 thumbnails`.
enum ProgressBar {
  private static let mostCells = 20

  /// The line in so many words as a terminal of so many columns shows without wrapping.
  static func line(_ content: StatusLine.Content, columns: Int) -> String {
    // In a narrow window the text needs the room more.
    let cells = min(mostCells, columns / 5)
    let start = content.fraction.map { bar($0, cells) + " " } ?? ""
    let room = max(0, columns - 1)
    let lines = ([content.text] + content.shorter).map { start + $0 }
    return lines.first { TextWidth.columns(of: $0) <= room }
      ?? TextWidth.padded(lines[lines.count - 1], to: room)
  }

  private static func bar(_ fraction: Double, _ cells: Int) -> String {
    let filled = Int(min(1, max(0, fraction)) * Double(cells))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: cells - filled) + "]"
  }
}
