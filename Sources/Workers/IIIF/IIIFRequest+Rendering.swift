package import Models

extension IIIFRequest {
  /// Computes the rendering of an upright picture.
  ///
  /// - Parameters:
  ///   - width: Its width in pixels.
  ///   - height: Its height in pixels.
  /// - Returns: A rendering within the limits.
  /// - Throws: when this picture does not have the region or size.
  package func rendering(ofWidth width: Int, height: Int) throws(IIIFError) -> Rendering {
    let picture = IIIFSize(width: width, height: height)
    let region = try region(of: picture)
    let size = try size(of: IIIFSize(width: region.width, height: region.height))
    return Rendering(
      region: region,
      width: size.width,
      height: size.height,
      isMirrored: isMirrored,
      turn: turn,
      colours: colours,
      encoding: encoding
    )
  }

  /// The canonical form of the request for a picture (section 4.8), such as `full/max/0/default.jpg`.
  package func canonical(ofWidth width: Int, height: Int) throws(IIIFError) -> String {
    let rendering = try rendering(ofWidth: width, height: height)
    let part = rendering.region
    let isWhole = part == PixelRegion(x: 0, y: 0, width: width, height: height)
    let region = isWhole ? "full" : "\(part.x),\(part.y),\(part.width),\(part.height)"
    let size = IIIFSize(width: rendering.width, height: rendering.height)
    let isLargest = size == IIIFSize(width: part.width, height: part.height).largest
    let quality =
      switch colours {
      case .all: "default"
      case .grey: "gray"
      case .blackAndWhite: "bitonal"
      }
    return [
      region, isLargest ? "max" : "\(size.width),\(size.height)",
      "\(isMirrored ? "!" : "")\(Int(turn.rawValue) * 90)",
      "\(quality).\(encoding == .jpeg ? "jpg" : "png")",
    ].joined(separator: "/")
  }

  private func region(of picture: IIIFSize) throws(IIIFError) -> PixelRegion {
    switch region {
    case .full: return PixelRegion(x: 0, y: 0, width: picture.width, height: picture.height)
    case .square:
      let side = min(picture.width, picture.height)
      let (x, y) = (picture.width.subtracting(side) / 2, picture.height.subtracting(side) / 2)
      return PixelRegion(x: x, y: y, width: side, height: side)
    case .pixels(let region): return try clipped(region, to: picture)
    case .percent(let x, let y, let width, let height):
      let region = PixelRegion(
        x: picture.width.percent(x),
        y: picture.height.percent(y),
        width: picture.width.percent(width),
        height: picture.height.percent(height)
      )
      return try clipped(region, to: picture)
    }
  }

  /// Clips a region to the picture; throws if nothing is left.
  private func clipped(
    _ region: PixelRegion,
    to picture: IIIFSize
  ) throws(IIIFError) -> PixelRegion {
    var region = region
    region.width = min(region.width, picture.width.subtracting(region.x))
    region.height = min(region.height, picture.height.subtracting(region.y))
    guard region.width > 0, region.height > 0 else { throw .invalid(.region) }
    return region
  }

  private func size(of region: IIIFSize) throws(IIIFError) -> IIIFSize {
    let size = scaled(region)
    guard size.width > 0, size.height > 0 else { throw .invalid(.size) }
    guard size.width <= region.width, size.height <= region.height else {
      throw allowsUpscaling ? .upscaling : .invalid(.size)
    }
    guard size.isWithinLimits else { throw .invalid(.size) }
    return size
  }

  private func scaled(_ region: IIIFSize) -> IIIFSize {
    let (width, height) = (Double(region.width), Double(region.height))
    switch size {
    case .max: return allowsUpscaling ? region.scaled(region.factorToLimits) : region.largest
    case .width(let side):
      return IIIFSize(width: side, height: max(1, Int.rounding(height * Double(side) / width)))
    case .height(let side):
      return IIIFSize(width: max(1, Int.rounding(width * Double(side) / height)), height: side)
    case .percent(let percent):
      return IIIFSize(
        width: region.width.percent(percent),
        height: region.height.percent(percent)
      )
    case .exact(let width, let height): return IIIFSize(width: width, height: height)
    case .confined(let most, let tallest):
      let factor = min(Double(most) / width, Double(tallest) / height, region.factorToLimits)
      return region.scaled(allowsUpscaling ? factor : min(1, factor))
    }
  }
}

/// Width and height of a picture, in pixels.
struct IIIFSize: Sendable, Equatable {
  var width: Int
  var height: Int

  /// The factor that scales it to the largest allowed size of a rendering.
  var factorToLimits: Double {
    let area = Double(width) * Double(height)
    return min(
      Double(Rendering.longestSide) / Double(max(width, height)),
      (Double(Rendering.largestArea) / area).squareRoot()
    )
  }

  /// The largest size of a rendering of all of it.
  var largest: IIIFSize { scaled(min(1, factorToLimits)) }

  var isWithinLimits: Bool {
    max(width, height) <= Rendering.longestSide && width * height <= Rendering.largestArea
  }

  /// The size times a factor, rounded down to stay within the limits, but at least 1.
  func scaled(_ factor: Double) -> IIIFSize {
    // In floating point, a product that should be an integer may be slightly too small.
    let tolerance = 1e-6
    return IIIFSize(
      width: max(1, Int(saturating: Double(width) * factor + tolerance)),
      height: max(1, Int(saturating: Double(height) * factor + tolerance))
    )
  }
}

extension Int {
  /// Rounds to the nearest integer, and limits it so that a sum of two does not overflow.
  fileprivate static func rounding(_ number: Double) -> Int {
    Int(saturating: number.rounded()).bounded
  }

  fileprivate func percent(_ percent: Double) -> Int {
    Int.rounding(Double(self) * percent / 100)
  }
}
