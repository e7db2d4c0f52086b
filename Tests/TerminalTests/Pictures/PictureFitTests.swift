import Testing

@testable import Terminal

struct PictureFitTests {
  private let cell = PixelSize(width: 10, height: 20)

  @Test(arguments: [
    (PixelSize(width: 800, height: 400), CellSize(columns: 80, rows: 20)),
    (PixelSize(width: 80, height: 40), CellSize(columns: 80, rows: 20)),
    (PixelSize(width: 400, height: 800), CellSize(columns: 24, rows: 24)),
    (PixelSize(width: 1, height: 10_000), CellSize(columns: 1, rows: 24)),
    (PixelSize(width: 10_000, height: 1), CellSize(columns: 80, rows: 1)),
    (PixelSize(width: 803, height: 405), CellSize(columns: 80, rows: 21)),
  ])
  func `fills the box as far as the shape allows`(picture: PixelSize, place: CellSize) {
    let fit = PictureFit(box: CellSize(columns: 80, rows: 24), cell: cell)

    #expect(fit.place(of: picture) == place)
  }

  @Test func `leaves a small picture as large as it is when told so`() {
    let fit = PictureFit(box: CellSize(columns: 80, rows: 24), cell: cell, isEnlarged: false)

    #expect(fit.place(of: PixelSize(width: 95, height: 41)) == CellSize(columns: 10, rows: 3))
    #expect(fit.place(of: PixelSize(width: 1600, height: 800)) == CellSize(columns: 80, rows: 20))
  }

  @Test func `rounds to the nearest cell when told so`() {
    let fit = PictureFit(
      box: CellSize(columns: 80, rows: 24),
      cell: cell,
      isEnlarged: false,
      isRounded: true
    )

    #expect(fit.place(of: PixelSize(width: 94, height: 49)) == CellSize(columns: 9, rows: 2))
    #expect(fit.place(of: PixelSize(width: 1, height: 1)) == CellSize(columns: 1, rows: 1))
  }

  @Test func `finds room in the smallest box`() {
    let fit = PictureFit(box: CellSize(columns: 1, rows: 1), cell: cell)

    #expect(fit.place(of: PixelSize(width: 640, height: 480)) == CellSize(columns: 1, rows: 1))
  }

  @Test func `believes sizes of cells that fonts have`() {
    let window = CellSize(columns: 80, rows: 24)

    let usual = PixelSize(width: 725, height: 436).divided(among: window)
    #expect(usual == PixelSize(width: 9, height: 18))
    #expect(PixelSize(width: 80, height: 24).divided(among: window) == nil)
    #expect(PixelSize(width: 65_535, height: 436).divided(among: window) == nil)
  }

  @Test func `takes the window's cell before the terminal's answer, and both before a guess`() {
    var graphics = TerminalGraphics(graphicsProtocol: .kitty)
    let window = TerminalWindow(columns: 80, rows: 24)
    #expect(graphics.cell(in: window) == PixelSize(width: 10, height: 20))

    graphics.cell = PixelSize(width: 7, height: 14)
    #expect(graphics.cell(in: window) == PixelSize(width: 7, height: 14))

    var zoomed = window
    zoomed.pixels = PixelSize(width: 960, height: 576)
    #expect(graphics.cell(in: zoomed) == PixelSize(width: 12, height: 24))
  }
}
