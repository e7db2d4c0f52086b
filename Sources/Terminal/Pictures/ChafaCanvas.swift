internal import CChafa
import Scenes
import Workers

/// Converts pixels to bytes for a terminal, with libchafa.
struct ChafaCanvas {
  /// The options of a conversion.
  struct Settings {
    var graphicsProtocol: GraphicsProtocol
    /// The cells that the picture fills.
    var size: CellSize
    /// The pixels to send for each cell.
    var cell: PixelSize
    var background: RGBColour?
    var hasFewSymbols = false
    /// The id of a kitty picture; nil for other protocols.
    var imageID: UInt32?
  }

  private let settings: Settings
  private let functions: cchafa_functions

  init(_ settings: Settings, library: ChafaLibrary) {
    self.settings = settings
    functions = library.functions
  }

  /// Converts a picture.
  func print(_ picture: Picture) -> [UInt8] {
    convert(picture.bytes, width: picture.width, height: picture.height, pixelType)
  }

  private func convert(
    _ bytes: [UInt8],
    width: Int,
    height: Int,
    _ type: ChafaPixelType
  ) -> [UInt8] {
    let configuration = functions.canvas_config_new()
    defer { functions.canvas_config_unref(configuration) }
    let symbols = functions.symbol_map_new()
    defer { functions.symbol_map_unref(symbols) }
    functions.symbol_map_add_by_tags(symbols, symbolTags)
    functions.canvas_config_set_symbol_map(configuration, symbols)
    configure(configuration)
    let canvas = functions.canvas_new(configuration)
    defer { functions.canvas_unref(canvas) }
    functions.canvas_draw_all_pixels(
      canvas,
      type,
      bytes,
      Int32(width),
      Int32(height),
      Int32(width * 4)
    )
    return printed(canvas)
  }

  private func configure(_ configuration: OpaquePointer?) {
    functions.canvas_config_set_geometry(
      configuration,
      Int32(settings.size.columns),
      Int32(settings.size.rows)
    )
    functions.canvas_config_set_cell_geometry(
      configuration,
      Int32(settings.cell.width),
      Int32(settings.cell.height)
    )
    functions.canvas_config_set_pixel_mode(configuration, pixelMode)
    functions.canvas_config_set_canvas_mode(configuration, canvasMode)
    configureColours(configuration)
  }

  private func configureColours(_ configuration: OpaquePointer?) {
    let background = settings.background ?? .black
    let foreground: RGBColour = background.isLight ? .black : .white
    functions.canvas_config_set_bg_color(configuration, background.packed)
    functions.canvas_config_set_fg_color(configuration, foreground.packed)
    if isOfFewColours {
      // In this colour space, the nearest colour looks most similar (DIN 6176).
      let space = ChafaColorSpace(CCHAFA_COLOR_SPACE_DIN99D)
      functions.canvas_config_set_color_space(configuration, space)
    }
    if isDithered {
      let mode = ChafaDitherMode(CCHAFA_DITHER_MODE_DIFFUSION)
      functions.canvas_config_set_dither_mode(configuration, mode)
    }
  }

  private var isOfFewColours: Bool {
    switch settings.graphicsProtocol {
    case .symbols(.indexed256), .symbols(.indexed16): true
    case .kitty, .iTerm2, .sixel, .symbols(.truecolour), .symbols(.none): false
    }
  }

  /// Whether to dither: with few colours, but not with 240 of them in characters.
  private var isDithered: Bool {
    switch settings.graphicsProtocol {
    case .sixel, .symbols(.indexed16), .symbols(.none): true
    case .kitty, .iTerm2, .symbols(.truecolour), .symbols(.indexed256): false
    }
  }

  private func printed(_ canvas: OpaquePointer?) -> [UInt8] {
    let terminal = functions.term_db_get_fallback_info(functions.term_db_get_default())
    defer { functions.term_info_unref(terminal) }
    if let imageID = settings.imageID {
      let sequence = ChafaTermSeq(CCHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)
      _ = functions.term_info_set_seq(terminal, sequence, kittyBeginning(imageID), nil)
    }
    guard let text = functions.canvas_print(canvas, terminal) else { return [] }
    defer { _ = functions.string_free(text, 1) }
    let bytes = UnsafeRawBufferPointer(start: text.pointee.str, count: text.pointee.len)
    return Array(bytes)
  }

  /// The sequence that begins a kitty picture, in which libchafa inserts the format and sizes.
  ///
  /// Unlike libchafa's default, it gives the picture an id, so that it can be deleted. It also suppresses the answer,
  /// which would be read as keys, and does not move the cursor. libchafa requires all five numbers.
  private func kittyBeginning(_ imageID: UInt32) -> String {
    "\u{1B}_Ga=T,q=2,C=1,i=\(imageID),f=%1,s=%2,v=%3,c=%4,r=%5,m=1\u{1B}\\"
  }

  private var pixelType: ChafaPixelType {
    settings.graphicsProtocol == .kitty ? Self.kittyPixelType : Self.straightAlpha
  }

  private static let straightAlpha = ChafaPixelType(CCHAFA_PIXEL_RGBA8_UNASSOCIATED)

  /// The type with which libchafa leaves pixels for kitty as they are, found by a try.
  ///
  /// kitty expects straight alpha. libchafa 1.14 sends it, but 1.12 would multiply the colours by it, unless the type says
  /// that they are already multiplied; 1.14 would then divide them.
  private static let kittyPixelType: ChafaPixelType = {
    let settings = Settings(
      graphicsProtocol: .kitty,
      size: CellSize(columns: 1, rows: 1),
      cell: PixelSize(width: 1, height: 1)
    )
    guard let library = ChafaLibrary.shared else { return straightAlpha }
    let canvas = ChafaCanvas(settings, library: library)
    let halfTransparent = canvas.convert([200, 100, 50, 128], width: 1, height: 1, straightAlpha)
    // These four bytes in Base64.
    let isUnchanged = String(decoding: halfTransparent, as: UTF8.self).contains("yGQygA==")
    return isUnchanged ? straightAlpha : ChafaPixelType(CCHAFA_PIXEL_RGBA8_PREMULTIPLIED)
  }()

  private var pixelMode: ChafaPixelMode {
    switch settings.graphicsProtocol {
    case .kitty: ChafaPixelMode(CCHAFA_PIXEL_MODE_KITTY)
    case .iTerm2: ChafaPixelMode(CCHAFA_PIXEL_MODE_ITERM2)
    case .sixel: ChafaPixelMode(CCHAFA_PIXEL_MODE_SIXELS)
    case .symbols: ChafaPixelMode(CCHAFA_PIXEL_MODE_SYMBOLS)
    }
  }

  /// The mode for colours; users can change the first 16 of 256 colours, so only the other 240 are used.
  private var canvasMode: ChafaCanvasMode {
    switch settings.graphicsProtocol {
    case .symbols(.indexed256): ChafaCanvasMode(CCHAFA_CANVAS_MODE_INDEXED_240)
    case .symbols(.indexed16): ChafaCanvasMode(CCHAFA_CANVAS_MODE_INDEXED_16)
    case .symbols(.none): ChafaCanvasMode(CCHAFA_CANVAS_MODE_FGBG)
    case .symbols(.truecolour), .kitty, .iTerm2, .sixel:
      ChafaCanvasMode(CCHAFA_CANVAS_MODE_TRUECOLOR)
    }
  }

  /// The characters to use; the Linux console has code page 437, whose finest blocks are half blocks.
  private var symbolTags: ChafaSymbolTags {
    let space = CCHAFA_SYMBOL_TAG_SPACE
    guard settings.hasFewSymbols else { return ChafaSymbolTags(space | CCHAFA_SYMBOL_TAG_BLOCK) }
    return ChafaSymbolTags(space | CCHAFA_SYMBOL_TAG_SOLID | CCHAFA_SYMBOL_TAG_HALF)
  }
}

/// libchafa, which is loaded when the first picture is drawn.
///
/// It depends on GLib, and linking both would delay the start of every command.
struct ChafaLibrary: Sendable {
  /// The library; nil when it is not installed.
  static let shared: ChafaLibrary? = ChafaLibrary()

  let functions: cchafa_functions

  private init?() {
    var functions = cchafa_functions()
    guard cchafa_load(&functions) != 0 else { return nil }
    self.functions = functions
  }
}
