/// How a window is divided among pictures with a caption under each.
struct GridLayout: Equatable {
  /// Columns of white space between two pictures.
  static let gap = 2
  /// A caption, and an empty line after it.
  static let textRows = 2
  /// What a picture's place is wide at least, unless the window is narrower.
  private static let leastColumns = 24
  /// The shape of a place, as most photographs have it.
  private static let shape = (width: 3, height: 2)

  /// How many pictures stand side by side.
  let count: Int
  /// The room for each.
  let place: CellSize

  init(window: TerminalWindow, cell: PixelSize) {
    count = max(1, (window.columns + Self.gap) / (Self.leastColumns + Self.gap))
    let columns = max(1, (window.columns - (count - 1) * Self.gap) / count)
    let height = columns * cell.width * Self.shape.height / Self.shape.width
    let rows = (height + cell.height / 2) / cell.height
    // The captions and the prompt that follows stay on the screen, too.
    place = CellSize(columns: columns, rows: max(1, min(rows, window.rows - Self.textRows - 1)))
  }

  /// How many pictures a window shows at once, with so many of its lines kept free.
  func pageCount(in window: TerminalWindow, rowsKept: Int) -> Int {
    count * max(1, (window.rows - rowsKept) / (place.rows + Self.textRows))
  }

  /// The first column of a place.
  func column(_ index: Int) -> Int { index * (place.columns + Self.gap) }
}
