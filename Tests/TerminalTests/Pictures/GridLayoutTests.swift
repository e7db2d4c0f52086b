import Testing

@testable import Terminal

struct GridLayoutTests {
  private let cell = PixelSize(width: 10, height: 20)

  @Test(arguments: [
    (80, 3, CellSize(columns: 25, rows: 8)), (200, 7, CellSize(columns: 26, rows: 9)),
    (49, 1, CellSize(columns: 49, rows: 16)), (50, 2, CellSize(columns: 24, rows: 8)),
    (12, 1, CellSize(columns: 12, rows: 4)), (1, 1, CellSize(columns: 1, rows: 1)),
  ])
  func `divides a window of any width`(columns: Int, count: Int, place: CellSize) {
    let layout = GridLayout(window: TerminalWindow(columns: columns, rows: 24), cell: cell)

    #expect(layout.count == count)
    #expect(layout.place == place)
    #expect(layout.column(count - 1) + layout.place.columns <= columns)
  }

  @Test func `leaves room for the words in a low window`() {
    #expect(GridLayout(window: TerminalWindow(columns: 80, rows: 6), cell: cell).place.rows == 3)
    #expect(GridLayout(window: TerminalWindow(columns: 80, rows: 1), cell: cell).place.rows == 1)
  }

  @Test func `counts what a window shows at once`() {
    let window = TerminalWindow(columns: 80, rows: 24)
    let layout = GridLayout(window: window, cell: cell)

    #expect(layout.pageCount(in: window, rowsKept: 2) == 6)
    #expect(layout.pageCount(in: window, rowsKept: 20) == 3)
  }
}
