package import Scenes
package import Workers

/// The screen of `gallery browse`: the grid or one image, a panel at the side, and a line at the bottom.
///
/// It keeps the state of its parts, and makes the screen's content from it. It makes no requests itself.
package final class BrowseScreen {
  /// The maximum width of a panel, and the minimum width of the area beside it.
  private static let panelColumns = 60
  private static let leastBesidePanel = 30

  package private(set) var window: TerminalWindow
  package var drawing: BrowseDrawing?
  package var grid: ImageGrid
  /// The image that fills the screen; nil for the grid.
  package var image: ImageDisplay?
  /// The image whose facts are in the panel.
  package var facts: ImageDisplay? { didSet { firstLine = 0 } }
  package var feeds: FeedListDisplay?
  /// The search that the user is typing; nil when there is no prompt.
  package var prompt: String?
  package var isHelpShown = false { didSet { firstLine = 0 } }
  /// The first line that is shown of the facts or the help.
  private var firstLine = 0
  /// The result of the last key; the next key removes it.
  package var message: String?
  /// The progress of the sync; nil without a sync.
  package var sync: ProgressLine?
  /// The feed and the search that narrow the list, in words; empty for the whole library.
  package var filter = ""

  package init(window: TerminalWindow, graphics: TerminalGraphics?) {
    self.window = window
    drawing = graphics.map { BrowseDrawing(graphics: $0, window: window) }
    let area = CellArea(column: 0, row: 0, size: window.size)
    grid = ImageGrid(layout: TileLayout(area: area, cell: drawing?.cell))
    arrange()
  }

  // MARK: Areas

  /// Takes the size of the window, which may have changed.
  package func resize(to window: TerminalWindow) {
    self.window = window
    drawing?.window = window
    arrange()
  }

  /// Lays out the grid in the area that is not covered by a panel.
  package func arrange() {
    let layout = TileLayout(area: mainArea ?? bodyArea, cell: drawing?.cell)
    if layout != grid.layout { grid.lay(out: layout) }
    if let cell = drawing?.cell, let tile = layout.tile {
      drawing?.room = PixelSize(
        width: tile.columns * cell.width,
        height: tile.rows * cell.height
      )
    }
  }

  /// All of the window except the line at the bottom.
  private var bodyArea: CellArea {
    let size = CellSize(columns: window.columns, rows: max(1, window.rows - 1))
    return CellArea(column: 0, row: 0, size: size)
  }

  private var hasPanel: Bool { facts != nil || feeds != nil }

  /// The number of columns of the panel, which fills a narrow window.
  private var panelWidth: Int {
    let width = min(Self.panelColumns, max(Self.leastBesidePanel, window.columns / 3))
    return window.columns - width - 1 < Self.leastBesidePanel ? window.columns : width
  }

  /// The area of the panel: feeds are on the left, facts on the right.
  private var panelArea: CellArea {
    let size = CellSize(columns: panelWidth, rows: bodyArea.size.rows)
    let column = feeds == nil ? window.columns - panelWidth : 0
    return CellArea(column: column, row: 0, size: size)
  }

  /// The area for the grid or the image, beside a panel; nil if the panel fills the window.
  private var mainArea: CellArea? {
    guard hasPanel else { return bodyArea }
    let columns = window.columns - panelWidth - 1
    guard columns > 0 else { return nil }
    let size = CellSize(columns: columns, rows: bodyArea.size.rows)
    return CellArea(column: feeds == nil ? 0 : panelWidth + 1, row: 0, size: size)
  }

  /// The room for one image in pixels; nil when pictures are not drawn.
  package var room: PixelSize? {
    guard let cell = drawing?.cell, let size = mainArea?.size else { return nil }
    return PixelSize(width: size.columns * cell.width, height: size.rows * cell.height)
  }

  /// The line of the list of feeds at a position.
  package func feedLine(at position: CellPosition) -> Int? {
    feeds?.line(at: position, in: panelArea)
  }

  /// The help, or the facts in the panel, whichever the user reads; nil without either.
  private var text: PanelText? {
    if isHelpShown { return PanelText(keys: BrowseHelp.keys, in: bodyArea) }
    guard feeds == nil, let fields = facts?.fields else { return nil }
    return PanelText(fields, in: panelArea)
  }

  /// Scrolls the help or the facts; returns whether they are longer than their area.
  @discardableResult package func scroll(_ move: ImageGrid.Move) -> Bool {
    guard let text else { return false }
    firstLine = text.first(after: move, from: firstLine)
    return text.isCut
  }

  // MARK: The content

  package var content: ScreenContent {
    var content = ScreenContent(size: window.size)
    if !isHelpShown { drawMain(on: &content) }
    if let text {
      text.draw(on: &content, from: firstLine)
    } else {
      feeds?.draw(on: &content, area: panelArea)
    }
    if window.rows > 1 { drawStatus(on: &content) }
    return content
  }

  private func drawMain(on content: inout ScreenContent) {
    guard let area = mainArea else { return }
    if let image {
      image.draw(on: &content, area: area, drawing)
    } else {
      grid.draw(on: &content, drawing)
    }
  }

  // MARK: The line at the bottom

  private func drawStatus(on content: inout ScreenContent) {
    let row = window.rows - 1
    if let prompt {
      let text = "/" + HarmlessText.line(prompt)
      // A long text shows its end, where the user types.
      var shown = Substring(text)
      while TextWidth.columns(of: String(shown)) > window.columns - 1 { shown.removeFirst() }
      content.put(String(shown), at: .init(column: 0, row: row))
      content.cursor = .init(column: TextWidth.columns(of: String(shown)), row: row)
      return
    }
    let progress = image?.progress ?? sync
    let right =
      progress.map { ProgressBar.line($0, columns: window.columns / 2) }
      ?? text?.note(from: firstLine) ?? BrowseHelp.hint
    let width = TextWidth.columns(of: right)
    let left = max(0, window.columns - width - 2)
    if progress == nil, message != nil, TextWidth.columns(of: HarmlessText.line(status)) > left {
      content.put(status, at: .init(column: 0, row: row))
      return
    }
    content.put(status, at: .init(column: 0, row: row), width: left)
    content.put(right, at: .init(column: max(0, window.columns - width), row: row), style: .dim)
  }

  private var status: String {
    if let message { return message }
    if let image {
      if let problem = image.problem { return problem }
      return [image.name, image.original].compactMap(\.self).joined(separator: " — ")
    }
    guard grid.total != 0 else { return filter }
    let position = Wording.grouped(grid.selected + 1)
    let place = grid.total.map { "\(position) of \(Wording.count($0, "image"))" } ?? position
    return filter.isEmpty ? place : "\(place) — \(filter)"
  }
}

/// The help of `gallery browse`, which lists its keys.
enum BrowseHelp {
  static let hint = "? help"

  static let keys: [(key: String, text: String)] = [
    ("arrows", "move from image to image"), ("j k", "next, previous image"),
    ("Page Up, Page Down", "move by a screen"), ("Home End", "first, last image"),
    ("Enter", "show the image"), ("Esc", "back to the same place"),
    ("/", "search; an empty search lists everything"), ("f", "feeds"),
    ("i", "all that is known of the image"), ("w", "why it has what it has"),
    ("j k behind i w", "scroll what they show, if it is long, as the arrows do"),
    ("o", "open the original with the desktop's program"), ("p", "pin the image, or unpin it"),
    ("s", "sync all feeds; again to stop"), ("Ctrl-L", "draw the screen again"),
    ("?", "this list"), ("q", "quit"),
  ]
}
