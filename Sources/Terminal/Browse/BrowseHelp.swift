import Scenes

/// The keys of `gallery browse`, in words.
enum BrowseHelp {
  static let hint = "? help"

  private static let keys = [
    ("arrows", "move from image to image"), ("j k", "next, previous image"),
    ("Page Up, Page Down", "move by a screen"), ("Home End", "first, last image"),
    ("Enter", "show the image"), ("Esc", "back to the same place"),
    ("/", "search; an empty search lists everything"), ("f", "feeds"),
    ("i", "all that is known of the image"), ("w", "why it has what it has"),
    ("o", "open the original with the desktop's program"), ("p", "pin the image, or unpin it"),
    ("s", "sync all feeds; again to stop"), ("Ctrl-L", "draw the screen again"),
    ("?", "this list"), ("q", "quit"),
  ]

  static func draw(on content: inout ScreenContent, area: CellArea) {
    let width = min(20, area.size.columns / 3 + 1)
    for (row, key) in keys.prefix(area.size.rows).enumerated() {
      content.put(key.0, at: .init(column: area.column, row: area.row + row), width: width)
      content.put(
        key.1,
        at: .init(column: area.column + width + 1, row: area.row + row),
        width: max(0, area.size.columns - width - 1),
        style: .dim
      )
    }
  }
}
