/// What stands in the place of a picture that there is none of.
enum PictureFrame {
  /// A frame with a few words in it; the words alone where there is no room for one.
  static func frame(_ size: CellSize, note: String) -> EncodedPicture {
    let lines = size.rows < 3 || size.columns < 3 ? plain(size, note) : framed(size, note)
    return EncodedPicture(size: size, content: .lines(lines.map { Array($0.utf8) }))
  }

  private static func plain(_ size: CellSize, _ note: String) -> [String] {
    (0..<size.rows).map { TextWidth.padded($0 == 0 ? note : "", to: size.columns) }
  }

  private static func framed(_ size: CellSize, _ note: String) -> [String] {
    let inner = size.columns - 2
    let bar = String(repeating: "─", count: inner)
    let middle = (size.rows - 2) / 2
    let lines = (0..<(size.rows - 2)).map { row in
      "│" + (row == middle ? centred(note, inner) : String(repeating: " ", count: inner)) + "│"
    }
    return ["┌" + bar + "┐"] + lines + ["└" + bar + "┘"]
  }

  private static func centred(_ note: String, _ columns: Int) -> String {
    let left = max(0, (columns - TextWidth.columns(of: note)) / 2)
    return TextWidth.padded(String(repeating: " ", count: left) + note, to: columns)
  }
}
