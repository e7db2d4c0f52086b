/// Pictures side by side, standing on a common line.
struct PictureRow {
  struct Item {
    /// The first column of its place.
    var column: Int
    var picture: EncodedPicture
  }

  /// From left to right, none over another.
  let items: [Item]
  /// The lines that the highest of them takes, or more.
  let rows: Int

  /// The bytes that draw them.
  ///
  /// The cursor stands at the beginning of a line before, and of the line under the pictures after.
  /// Characters are written from top to bottom, without moving the cursor.
  var bytes: [UInt8] {
    let isText = items.allSatisfy { if case .lines = $0.picture.content { true } else { false } }
    if isText { return (0..<rows).flatMap { line($0) + [UInt8(ascii: "\n")] } }
    return Array(CursorMove.reserving(rows).utf8) + overlay + Array(CursorMove.down(rows).utf8)
  }

  /// The bytes that draw them where there is room already; the cursor stays at its beginning.
  var overlay: [UInt8] {
    items.flatMap { item in
      let top = rows - item.picture.size.rows
      return Array((CursorMove.down(top) + CursorMove.right(item.column)).utf8)
        + overlay(of: item) + Array(CursorMove.up(top).utf8)
    }
  }

  private func overlay(of item: Item) -> [UInt8] {
    switch item.picture.content {
    case .pixels(let bytes, _): return CursorMove.keeping(bytes)
    case .lines(let lines):
      let next = Array((CursorMove.down(1) + CursorMove.right(item.column)).utf8)
      return Array(lines.joined(separator: next)) + Array(CursorMove.up(lines.count - 1).utf8)
    }
  }

  private func line(_ row: Int) -> [UInt8] {
    var line: [UInt8] = []
    var column = 0
    for item in items {
      guard case .lines(let lines) = item.picture.content else { continue }
      let index = row - (rows - lines.count)
      guard lines.indices.contains(index) else { continue }
      line += Array(repeating: UInt8(ascii: " "), count: max(0, item.column - column))
      line += lines[index]
      column = item.column + item.picture.size.columns
    }
    return line
  }
}
