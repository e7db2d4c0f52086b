import Scenes

/// Brings a terminal's screen to a content, by writing only what differs from what it shows.
///
/// Text comes first, then the pictures one by one, so that a reader sees at once what a key did. Between two
/// pictures it looks whether the content is outdated: what nobody is going to see is not sent.
package final class ScreenPainter {
  /// Begin and end of an update, which terminals that know it show at once (mode 2026 of DEC private modes).
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"

  /// A picture on the screen.
  private struct Drawn {
    var placed: PlacedPicture
    /// Its number in kitty.
    var imageID: UInt32?
  }

  private let sink: any ByteSink
  private let encoder: PictureEncoder?
  private let window: () -> TerminalWindow
  private let hasStyles: Bool
  /// The cells on the screen; nil where it is not known what they show.
  private var cells: [ScreenContent.Cell?] = []
  private var size: CellSize?
  private var drawn: [Drawn] = []
  private var cursor: CellPosition?

  /// Makes a painter.
  ///
  /// - Parameters:
  ///   - sink: The terminal.
  ///   - graphics: How it shows pictures; nil to draw none.
  ///   - hasStyles: Whether it shows dim and red text.
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

  /// Forgets what the screen shows, so that the next content is written whole.
  package func forget() { size = nil }

  /// Writes what differs; nothing when nothing does.
  ///
  /// - Parameters:
  ///   - content: What the screen is to show.
  ///   - isOutdated: Whether a newer content waits, so that the rest of this one is not worth writing.
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

  /// Takes pictures away that are not to be shown any more, unless another one is to cover all of them.
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

  /// Whether a new picture replaces an old one without a trace of it; sixels may be transparent.
  private func isCovered(_ old: PlacedPicture, by new: PlacedPicture) -> Bool {
    old.area == new.area && (encoder?.graphics.graphicsProtocol != .sixel || new.picture.isOpaque)
  }

  /// Notes that the cells of an area show something else than text.
  private func mark(_ area: CellArea) {
    guard let size else { return }
    for row in area.rows.clamped(to: 0..<size.rows) {
      for column in area.columns.clamped(to: 0..<size.columns) {
        cells[row * size.columns + column] = nil
      }
    }
  }

  /// The bytes that bring the text up to date, without the cells below pictures that stay.
  private func difference(_ content: ScreenContent) -> String {
    let columns = content.size.columns
    var text = ""
    let isCovered = coverage(content.size)
    var style = TextStyle.plain
    // Where the cursor is after the last character; nil where terminals disagree.
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

  /// Without styles only the selection is shown, because it is no decoration.
  private func shown(_ style: TextStyle) -> String {
    hasStyles || style == .selected ? style.rawValue : ""
  }

  /// Which cells are below pictures.
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

  /// Moves the cursor to its place, from which text has moved it.
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
    // The one that it covers; kitty keeps pictures below others.
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
