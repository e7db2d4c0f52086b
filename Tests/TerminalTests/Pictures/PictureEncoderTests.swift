import Scenes
import Testing
import Workers

@testable import Terminal

struct PictureEncoderTests {
  private let box = CellSize(columns: 40, rows: 12)
  private let window = TerminalWindow(columns: 80, rows: 24)

  @Test(arguments: [SymbolColours.truecolour, .indexed256, .indexed16, .none])
  func `fills exactly the cells of the place with characters`(colours: SymbolColours) throws {
    for size in [(320, 200), (200, 320), (64, 64), (3, 1000), (1000, 3), (1, 1)] {
      let picture = try Picture.plain(width: size.0, height: size.1)
      let encoded = try encoder(.symbols(colours)).encode(picture, into: box, window: window)

      let lines = try lines(of: encoded)
      #expect(lines.count == encoded.size.rows)
      #expect(encoded.size.rows <= box.rows)
      let widths = lines.map { TextWidth.columns(of: Self.visible($0)) }
      #expect(Set(widths) == [encoded.size.columns])
    }
  }

  @Test func `names no colour where none is allowed`() throws {
    let picture = try Picture.plain(width: 300, height: 200, colour: [90, 120, 200, 255])

    let encoded = try encoder(.symbols(.none)).encode(picture, into: box, window: window)

    let text = try lines(of: encoded).joined()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    #expect(text.contains { $0 != " " })
  }

  @Test(arguments: [
    (SymbolColours.truecolour, "8;2;200;40;30"), (.indexed256, "8;5;"), (.indexed16, ";101m"),
  ])
  func `names the colours that the terminal has`(colours: SymbolColours, sequence: String) throws {
    let picture = try Picture.plain(width: 64, height: 64)

    let encoded = try encoder(.symbols(colours)).encode(picture, into: box, window: window)

    let text = try lines(of: encoded).joined()
    // libchafa 1.14 rounds some colours down.
    let rounded = sequence.replacing("200;40;30", with: "199;40;29")
    #expect(text.contains(sequence) || text.contains(rounded))
    let others = ["8;2;", "8;5;"].filter { !sequence.hasPrefix($0) }
    for other in others { #expect(try !lines(of: encoded).joined().contains(other)) }
  }

  @Test func `draws dark on light where the background is light`() throws {
    let black = try Picture.plain(width: 64, height: 64, colour: [0, 0, 0, 255])
    var graphics = TerminalGraphics(graphicsProtocol: .symbols(.none))
    graphics.background = .white
    let onLight = try #require(PictureEncoder(graphics, firstImageID: 1))
    let onDark = try encoder(.symbols(.none))

    let dark = try lines(of: onLight.encode(black, into: box, window: window)).joined()
    let blank = try lines(of: onDark.encode(black, into: box, window: window)).joined()

    #expect(dark.contains("█"))
    #expect(blank.allSatisfy { $0 == " " })
  }

  @Test func `leaves transparent pixels to the terminal`() throws {
    let clear = try Picture.plain(width: 64, height: 64, colour: [10, 20, 30, 0])

    let encoded = try encoder(.symbols(.truecolour)).encode(clear, into: box, window: window)

    #expect(try lines(of: encoded).allSatisfy { Self.visible($0).allSatisfy { $0 == " " } })
    #expect(try !lines(of: encoded).joined().contains("48;2;"))
  }

  @Test func `names kitty's pictures, one after the other, and wants no answer`() throws {
    let encoder = try encoder(.kitty)
    let picture = try Picture.plain(width: 400, height: 240)

    let first = encoder.encode(picture, into: box, window: window)
    let second = encoder.encode(picture, into: box, window: window)

    #expect(first.size == CellSize(columns: 40, rows: 12))
    #expect(
      try text(of: first).hasPrefix(
        "\u{1B}_Ga=T,q=2,C=1,i=77,f=32,s=400,v=240,c=40,r=12,m=1\u{1B}\\\u{1B}_Gm=1;"
      )
    )
    #expect(try text(of: first).hasSuffix("\u{1B}_Gm=0\u{1B}\\"))
    #expect([first.imageID, second.imageID] == [77, 78])
  }

  @Test func `sends kitty no more pixels than there are`() throws {
    let picture = try Picture.plain(width: 80, height: 48)

    let encoded = try encoder(.kitty).encode(picture, into: box, window: window)

    #expect(try text(of: encoded).contains(",s=80,v=48,c=40,r=12,"))
  }

  @Test func `sends kitty half transparent colours unchanged`() throws {
    let picture = try Picture.plain(width: 400, height: 240, colour: [200, 100, 50, 128])

    let encoded = try encoder(.kitty).encode(picture, into: box, window: window)

    // Four characters encode three bytes: yGQygMhkMoDI… is 200, 100, 50, 128, over and over.
    #expect(try text(of: encoded).contains("yGQygMhkMoDIZDKA"))
  }

  @Test func `keeps within what sixels can have`() throws {
    var graphics = TerminalGraphics(graphicsProtocol: .sixel)
    graphics.largest = PixelSize(width: 205, height: 1000)
    let encoder = try #require(PictureEncoder(graphics, firstImageID: 1))

    let encoded = try encoder.encode(.plain(width: 400, height: 240), into: box, window: window)

    #expect(encoded.size == CellSize(columns: 20, rows: 6))
    // Bands are six pixels high, and no band reaches below the last cell.
    #expect(try text(of: encoded).hasPrefix("\u{1B}P0;1;0q\"1;1;200;120"))
    #expect(try text(of: encoded).hasSuffix("\u{1B}\\"))
    #expect(encoded.imageID == nil)
  }

  @Test func `writes an inline picture for iTerm2`() throws {
    let encoded = try encoder(.iTerm2).encode(
      .plain(width: 400, height: 240),
      into: box,
      window: window
    )

    let beginning = "\u{1B}]1337;File=inline=1;width=40;height=12;preserveAspectRatio=0:"
    #expect(try text(of: encoded).hasPrefix(beginning))
    #expect(try text(of: encoded).hasSuffix("\u{7}"))
  }

  @Test func `draws a small picture no larger than it is, unless it is made of characters`() throws
  {
    let picture = try Picture.plain(width: 20, height: 20)
    let natural = PixelSize(width: 100, height: 100)

    let pixels = try encoder(.kitty)
      .encode(picture, into: box, natural: natural, window: window)
    let symbols = try encoder(.symbols(.none))
      .encode(picture, into: box, natural: natural, window: window)

    #expect(pixels.size == CellSize(columns: 10, rows: 5))
    #expect(symbols.size == CellSize(columns: 24, rows: 12))
  }

  private func encoder(_ graphicsProtocol: GraphicsProtocol) throws -> PictureEncoder {
    let graphics = TerminalGraphics(graphicsProtocol: graphicsProtocol)
    return try #require(PictureEncoder(graphics, firstImageID: 77))
  }

  private func lines(of encoded: EncodedPicture) throws -> [String] {
    guard case .lines(let lines) = encoded.content else {
      Issue.record("not made of characters")
      return []
    }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  private func text(of encoded: EncodedPicture) throws -> String {
    guard case .pixels(let bytes, _) = encoded.content else {
      Issue.record("not made of pixels")
      return ""
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The line without its colours.
  static func visible(_ line: String) -> String {
    line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }
}

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

    #expect(fit.cells(of: picture) == place)
  }

  @Test func `leaves a small picture as large as it is when told so`() {
    let fit = PictureFit(box: CellSize(columns: 80, rows: 24), cell: cell, isEnlarged: false)

    #expect(fit.cells(of: PixelSize(width: 95, height: 41)) == CellSize(columns: 10, rows: 3))
    #expect(fit.cells(of: PixelSize(width: 1600, height: 800)) == CellSize(columns: 80, rows: 20))
  }

  @Test func `rounds to the nearest cell when told so`() {
    let fit = PictureFit(
      box: CellSize(columns: 80, rows: 24),
      cell: cell,
      isEnlarged: false,
      isRounded: true
    )

    #expect(fit.cells(of: PixelSize(width: 94, height: 49)) == CellSize(columns: 9, rows: 2))
    #expect(fit.cells(of: PixelSize(width: 1, height: 1)) == CellSize(columns: 1, rows: 1))
  }

  @Test func `finds room in the smallest box`() {
    let fit = PictureFit(box: CellSize(columns: 1, rows: 1), cell: cell)

    #expect(fit.cells(of: PixelSize(width: 640, height: 480)) == CellSize(columns: 1, rows: 1))
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
