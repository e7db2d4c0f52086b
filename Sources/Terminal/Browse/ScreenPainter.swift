import Scenes

/// Updates a terminal's screen to a content, by writing only the difference from the current content.
///
/// It writes text first, then the pictures one by one, so that the user sees the effect of a key at once. Before each
/// picture it checks whether the content is outdated. If so, it does not send the remaining pictures.
package final class ScreenPainter {
  /// The beginning and the end of a synchronized update, which terminals that support it show at once (DEC private
  /// mode 2026).
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"

  /// A picture on the screen.
  private struct Drawn {
    var placed: PlacedPicture
    /// The id of the picture in kitty.
    var imageID: UInt32?
  }

  private let sink: any ByteSink
  private let encoder: PictureEncoder?
  private let window: () -> TerminalWindow
  private let hasStyles: Bool
  /// The cells on the screen; nil where their content is unknown.
  private var cells: [ScreenContent.Cell?] = []
  private var size: CellSize?
  private var drawn: [Drawn] = []
  private var cursor: CellPosition?

  /// Makes a painter.
  ///
  /// - Parameters:
  ///   - sink: The terminal.
  ///   - graphics: The terminal's graphics; nil to draw no pictures.
  ///   - hasStyles: Whether the terminal shows dim and red text.
  ///   - window: Returns the current window, for the size of its cells.
  package init(
    sink: any ByteSink,
    graphics: TerminalGraphics?,
    hasStyles: Bool,
    window: @escaping () -> TerminalWindow
  ) {
    self.sink = sink
    self.hasStyles = hasStyles
    self.window = window
    encoder = graphics.flatMap { PictureEncoder($0) }
  }

  /// Forgets the content of the screen, so that the next content is written in full.
  package func forget() { size = nil }

  /// Writes the difference between the screen and a content, if there is one.
  ///
  /// - Parameters:
  ///   - content: The content to show.
  ///   - isOutdated: Whether a newer content waits, so that the remaining pictures are skipped.
  package func paint(_ content: ScreenContent, isOutdated: () -> Bool = { false }) {
    var text = ""
    if size != content.size { text += clear(content.size) }
    text += removing(content)
    text += difference(content)
    text += movingCursor(content, isMoved: !text.isEmpty)
    if !text.isEmpty { sink.write(Array((Self.begin + text + Self.end).utf8)) }
    for placed in content.pictures where !drawn.contains(where: { $0.placed == placed }) {
      if isOutdated() { return }
      draw(placed)
    }
  }

  private func clear(_ size: CellSize) -> String {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
    let pictures = drawn.compactMap(\.imageID).map(PictureEncoder.deleting).joined()
    drawn = []
    cursor = nil
    return pictures + "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?25l"
  }

  // MARK: Text

  /// Removes pictures that the content no longer has, unless a new picture covers them completely.
  private func removing(_ content: ScreenContent) -> String {
    var text = ""
    drawn = drawn.filter { old in
      if content.pictures.contains(old.placed) { return true }
      if content.pictures.contains(where: { isCovered(old.placed, by: $0) }) { return true }
      text += old.imageID.map(PictureEncoder.deleting) ?? ""
      mark(old.placed.area)
      return false
    }
    return text
  }

  /// Whether a new picture covers an old one completely; transparent sixels do not.
  private func isCovered(_ old: PlacedPicture, by new: PlacedPicture) -> Bool {
    old.area == new.area && (encoder?.graphics.graphicsProtocol != .sixel || new.picture.isOpaque)
  }

  /// Marks the cells of an area as unknown, because they do not show text.
  private func mark(_ area: CellArea) {
    guard let size else { return }
    for row in area.rows.clamped(to: 0..<size.rows) {
      for column in area.columns.clamped(to: 0..<size.columns) {
        cells[row * size.columns + column] = nil
      }
    }
  }

  /// The text that updates the cells, except those below pictures that stay.
  private func difference(_ content: ScreenContent) -> String {
    let columns = content.size.columns
    var text = ""
    let isCovered = coverage(content.size)
    var style = TextStyle.plain
    // The index of the cell with the cursor; nil where terminals disagree about it.
    var at: Int?
    for index in cells.indices where !isCovered[index] && cells[index] != content.cells[index] {
      let cell = content.cells[index]
      cells[index] = cell
      if cell.text.isEmpty { continue }
      if at != index || index % columns == 0 {
        text += "\u{1B}[\(index / columns + 1);\(index % columns + 1)H"
      }
      if cell.style != style {
        text += (style == .plain ? "" : "\u{1B}[0m") + shown(cell.style)
        style = cell.style
      }
      text += cell.text
      at = TextWidth.isCertain(cell.text) ? index + TextWidth.columns(of: cell.text) : nil
    }
    return style == .plain ? text : text + "\u{1B}[0m"
  }

  /// The sequence for a style; without styles only the selection is shown, because it is not a decoration.
  private func shown(_ style: TextStyle) -> String {
    hasStyles || style == .selected ? style.rawValue : ""
  }

  /// Tells for each cell whether a picture covers it.
  private func coverage(_ size: CellSize) -> [Bool] {
    var isCovered = Array(repeating: false, count: size.columns * size.rows)
    for area in drawn.map(\.placed.area) {
      for row in area.rows.clamped(to: 0..<size.rows) {
        let columns = area.columns.clamped(to: 0..<size.columns)
        for column in columns { isCovered[row * size.columns + column] = true }
      }
    }
    return isCovered
  }

  /// Moves the cursor to its position, if that has changed or writing text has moved it.
  private func movingCursor(_ content: ScreenContent, isMoved: Bool) -> String {
    if content.cursor == cursor, cursor == nil || !isMoved { return "" }
    cursor = content.cursor
    guard let position = cursor else { return "\u{1B}[?25l" }
    return "\u{1B}[\(position.row + 1);\(position.column + 1)H\u{1B}[?25h"
  }

  // MARK: Pictures

  private func draw(_ placed: PlacedPicture) {
    guard let encoder else { return }
    let encoded = encoder.encode(placed.picture, filling: placed.area.size, window: window())
    var bytes = Array((Self.begin + "\u{1B}7").utf8)
    switch encoded.content {
    case .pixels(let pixels, _): bytes += Array(Self.moving(placed.area, row: 0).utf8) + pixels
    case .lines(let lines):
      for (row, line) in lines.enumerated() {
        bytes += Array(Self.moving(placed.area, row: row).utf8) + line
      }
    }
    bytes += Array("\u{1B}8".utf8)
    // kitty keeps pictures that others cover.
    let covered = drawn.filter { $0.placed.area == placed.area }
    bytes += covered.compactMap(\.imageID).flatMap { Array(PictureEncoder.deleting($0).utf8) }
    sink.write(bytes + Array(Self.end.utf8))
    drawn.removeAll { $0.placed.area == placed.area }
    drawn.append(Drawn(placed: placed, imageID: encoded.imageID))
    mark(placed.area)
  }

  private static func moving(_ area: CellArea, row: Int) -> String {
    "\u{1B}[\(area.row + row + 1);\(area.column + 1)H"
  }
}
