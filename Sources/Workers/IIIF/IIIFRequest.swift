package import Models

/// The reason why the server cannot answer a request of the IIIF Image API with a picture.
package enum IIIFError: Error, Sendable, Equatable {
  /// The request is malformed, or asks for a region or size that does not exist: 400 in HTTP.
  case invalid(IIIFParameter)
  /// The request asks for more pixels than the region has: 501 in HTTP.
  case upscaling
}

/// The parameters of a request, in their order in the path.
package enum IIIFParameter: String, Sendable {
  case region, size, rotation, quality, format
}

/// A request for a picture in the IIIF Image API 3.0 (https://iiif.io/api/image/3.0/, section 4).
///
/// Reading it does not need the picture. It computes a `Rendering` once the picture's size is known.
package struct IIIFRequest: Sendable, Equatable {
  enum Region: Sendable, Equatable {
    case full
    case square
    case pixels(PixelRegion)
    /// Left, top, width and height, in percent of the picture's size.
    case percent(x: Double, y: Double, width: Double, height: Double)
  }

  enum Size: Sendable, Equatable {
    case max
    case width(Int)
    case height(Int)
    case percent(Double)
    case exact(width: Int, height: Int)
    case confined(width: Int, height: Int)
  }

  var region: Region
  var size: Size
  /// Whether the request allows upscaling (`^`), which is then refused with `.upscaling` instead of `.invalid`.
  var allowsUpscaling: Bool
  var isMirrored: Bool
  var turn: Rendering.Turn
  var colours: Rendering.Colours
  /// The encoding of the result, which determines its media type.
  package private(set) var encoding: Rendering.Encoding

  /// Reads the components of a path, with their percent-escapes decoded.
  ///
  /// - Parameters:
  ///   - region: Such as `full` or `0,0,1024,1024`.
  ///   - size: Such as `max` or `512,`.
  ///   - rotation: Such as `0` or `!90`.
  ///   - file: Quality and format, such as `default.jpg`.
  /// - Throws: the first parameter that is invalid.
  package init(
    region: String,
    size: String,
    rotation: String,
    file: String
  ) throws(IIIFError) {
    self.region = try IIIFText(region, of: .region).region()
    (self.size, allowsUpscaling) = try IIIFText(size, of: .size).size()
    (isMirrored, turn) = try IIIFText(rotation, of: .rotation).rotation()
    guard let dot = file.lastIndex(of: ".") else { throw .invalid(.format) }
    switch file[file.index(after: dot)...] {
    case "jpg": encoding = .jpeg
    case "png": encoding = .png
    default: throw .invalid(.format)
    }
    switch file[..<dot] {
    case "default", "color": colours = .all
    case "gray": colours = .grey
    case "bitonal": colours = .blackAndWhite
    default: throw .invalid(.quality)
    }
  }
}

/// Reads the text of one parameter.
private struct IIIFText {
  let text: Substring
  let parameter: IIIFParameter

  init(_ text: some StringProtocol, of parameter: IIIFParameter) {
    self.text = Substring(text)
    self.parameter = parameter
  }

  func region() throws(IIIFError) -> IIIFRequest.Region {
    switch text {
    case "full": return .full
    case "square": return .square
    default: break
    }
    if let percent = after("pct:") {
      let numbers = try percent.list(4, IIIFText.decimal)
      guard numbers[2] > 0, numbers[3] > 0 else { throw error }
      return .percent(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    let numbers = try list(4, IIIFText.whole)
    guard numbers[2] > 0, numbers[3] > 0 else { throw error }
    return .pixels(
      PixelRegion(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    )
  }

  /// The size, and whether `^` allows upscaling.
  func size() throws(IIIFError) -> (IIIFRequest.Size, allowsUpscaling: Bool) {
    if let rest = after("^") { return (try rest.plainSize(), true) }
    return (try plainSize(), false)
  }

  private func plainSize() throws(IIIFError) -> IIIFRequest.Size {
    if text == "max" { return .max }
    if let percent = after("pct:") { return .percent(try percent.decimal()) }
    if let box = after("!") {
      let sides = try box.list(2, IIIFText.side)
      return .confined(width: sides[0], height: sides[1])
    }
    if text.hasSuffix(",") { return .width(try IIIFText(text.dropLast(), of: parameter).side()) }
    if let height = after(",") { return .height(try height.side()) }
    let sides = try list(2, IIIFText.side)
    return .exact(width: sides[0], height: sides[1])
  }

  /// Multiples of 90 degrees only.
  func rotation() throws(IIIFError) -> (isMirrored: Bool, Rendering.Turn) {
    let rest = after("!")
    let degrees = try (rest ?? self).decimal()
    let turns: [Double: Rendering.Turn] = [
      0: .none, 90: .quarter, 180: .half, 270: .threeQuarters, 360: .none,
    ]
    guard let turn = turns[degrees] else { throw error }
    return (rest != nil, turn)
  }

  private var error: IIIFError { .invalid(parameter) }

  private func after(_ prefix: String) -> IIIFText? {
    text.hasPrefix(prefix) ? IIIFText(text.dropFirst(prefix.count), of: parameter) : nil
  }

  private func list<Number>(
    _ count: Int,
    _ read: (IIIFText) -> () throws(IIIFError) -> Number
  ) throws(IIIFError) -> [Number] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == count else { throw error }
    var numbers: [Number] = []
    for part in parts { numbers.append(try read(IIIFText(part, of: parameter))()) }
    return numbers
  }

  /// A width or height, which must not be 0.
  private func side() throws(IIIFError) -> Int {
    let side = try whole()
    guard side > 0 else { throw error }
    return side
  }

  /// An integer of digits only, so small that sums do not overflow.
  private func whole() throws(IIIFError) -> Int {
    guard text.utf8.count <= 15, text.utf8.allSatisfy(Self.isDigit), let number = Int(text) else {
      throw error
    }
    return number
  }

  /// A number of digits with at most one decimal point (section 4.7).
  private func decimal() throws(IIIFError) -> Double {
    let point = UInt8(ascii: ".")
    guard text.utf8.count <= 30, text.utf8.contains(where: Self.isDigit),
      text.utf8.allSatisfy({ Self.isDigit($0) || $0 == point }), let number = Double(text)
    else {
      throw error
    }
    return number
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
