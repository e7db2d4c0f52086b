import Testing
import Workers

@testable import Scenes
@testable import Terminal

struct ImageGridTests {
  /// Three tiles in a row, two rows.
  private var grid = ImageGrid(
    layout: TileLayout(
      area: CellArea(column: 0, row: 0, size: CellSize(columns: 80, rows: 20)),
      cell: PixelSize(width: 10, height: 20)
    )
  )

  private func page(_ ids: Range<Int>, next: String? = nil) -> ListedPage {
    var page = ListedPage()
    page.images = ids.map { .named("title \($0)", id: Int64($0)) }
    page.next = next
    return page
  }

  @Test func `begins with the first page`() {
    #expect(grid.wantedPages == [.init(number: 0)])
    #expect(grid.selectedImage == nil)
    #expect(grid.visible.isEmpty)
  }

  @Test mutating func `goes on from the end of each page, by its position`() {
    grid.take(page(0..<60, next: "c1"), of: .init(number: 0))
    #expect(grid.visible == 0..<6)
    #expect(grid.wantedPages == [])
    grid.move(.to(58))

    #expect(grid.wantedPages == [.init(number: 1, after: "c1")])
    grid.take(page(60..<90), of: .init(number: 1, after: "c1"))
    #expect(grid.total == 90)
  }

  @Test mutating func `moves by image, row and screen, and stays in the list`() {
    grid.take(page(0..<11), of: .init(number: 0))
    var seen: [Int] = []
    let moves: [ImageGrid.Move] = [
      .left, .right, .down, .down, .down, .down, .right, .up, .pageUp, .pageUp, .pageDown, .end,
      .home, .to(4), .to(40),
    ]
    for move in moves {
      grid.move(move)
      seen.append(grid.selected)
    }

    #expect(seen == [0, 1, 4, 7, 10, 10, 10, 7, 1, 0, 6, 10, 0, 4, 10])
    #expect(grid.visible == 6..<11)
  }

  @Test mutating func `jumps to the end of a list that has been counted`() {
    grid.take(page(0..<60, next: "c1"), of: .init(number: 0))
    grid.take(total: 1_000_000)
    grid.move(.end)

    #expect(grid.selected == 999_999)
    #expect(grid.wantedPages.first == .init(number: 16_666))
    grid.take(page(999_960..<1_000_000), of: .init(number: 16_666))
    #expect(grid.selectedImage?.id == 999_999)
    #expect(grid.total == 1_000_000)
  }

  @Test mutating func `remembers only the pages around the window`() {
    for number in 0..<200 {
      let next = number * 60 + 60
      grid.take(page(number * 60..<next, next: "c\(next)"), of: .init(number: number))
      grid.move(.to(next - 1))
    }

    let held = (0..<12_000).filter { grid.image(at: $0) != nil }
    #expect(held.count < 600)
    #expect(held.last == 11_999)
    grid.move(.to(3_000))
    #expect(grid.wantedPages.first == .init(number: 50, after: "c3000"))
  }

  @Test mutating func `keeps to the selected image when others come before it`() {
    grid.take(page(100..<160), of: .init(number: 0))
    grid.move(.to(7))
    grid.move(.pageDown)
    let top = grid.visible.lowerBound
    grid.refresh(page(96..<160), of: grid.pagesToRefresh)

    #expect(grid.selectedImage?.id == 113)
    #expect(grid.selected == 17)
    #expect(grid.visible.lowerBound == top + 3)
    #expect(grid.total == 64)
  }

  @Test mutating func `shows new images at the begin to a reader who is there`() {
    grid.take(page(100..<160), of: .init(number: 0))
    grid.refresh(page(99..<160), of: grid.pagesToRefresh)

    #expect(grid.selected == 0)
    #expect(grid.selectedImage?.id == 99)
  }

  @Test mutating func `stays in the list when the selected image has gone`() {
    grid.take(page(0..<10), of: .init(number: 0))
    grid.move(.end)
    grid.refresh(page(0..<4), of: grid.pagesToRefresh)

    #expect(grid.selected == 3)
    #expect(grid.visible == 0..<4)
  }

  @Test mutating func `wants the pictures on the screen first, then the next ones`() {
    grid.take(page(0..<30), of: .init(number: 0))
    grid.move(.pageDown)

    #expect(
      grid.wantedImages.map(\.id) == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 5, 4, 3, 2, 1, 0]
    )
  }
}

extension DisplayedImage {
  static func named(_ title: String, id: Int64) -> DisplayedImage {
    DisplayedImage(
      id: id,
      published: "2026-11-02T08:00:00Z",
      day: "2026-11-02",
      feed: "Night sky",
      title: title,
      originalMark: ""
    )
  }
}
