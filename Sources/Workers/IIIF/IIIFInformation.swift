import FoundationEssentials
import Models

/// The document that describes a picture to viewers of the IIIF Image API 3.0 (section 5).
package struct IIIFInformation: Sendable {
  /// The media type of the document for clients that accept it; others get `application/json`.
  package static let mediaType =
    #"application/ld+json;profile="http://iiif.io/api/image/3/context.json""#

  /// Width of a tile in pixels: a viewer fills a screen with a few of them.
  private static let tileWidth = 1_024
  /// The longer side of the smallest listed size is at least this long.
  private static let smallestSide = 128

  private let document: Document

  /// Describes an upright picture.
  ///
  /// - Parameters:
  ///   - address: The picture's address, without `/info.json`.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  package init(address: String, width: Int, height: Int) {
    let picture = IIIFSize(width: width, height: height)
    document = Document(
      id: address,
      width: width,
      height: height,
      sizes: Self.sizes(of: picture),
      tiles: Self.tiles(of: picture)
    )
  }

  /// The document as JSON; `@context` is its first member, as the specification recommends.
  package var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return [UInt8](try encoder.encode(document)) } catch {
      fatalError("a document of texts and numbers is JSON: \(error)")
    }
  }

  /// The largest size and its halves, from small to large.
  private static func sizes(of picture: IIIFSize) -> [Document.Size] {
    var size = picture.largest
    var sizes = [size]
    while max(size.width, size.height) / 2 >= smallestSide {
      size = IIIFSize(width: max(1, size.width / 2), height: max(1, size.height / 2))
      sizes.append(size)
    }
    return sizes.reversed().map { Document.Size(width: $0.width, height: $0.height) }
  }

  /// Tiles with scale factors from 1 up to the one at which a single tile holds the picture; nil if that is 1.
  private static func tiles(of picture: IIIFSize) -> [Document.Tiles]? {
    var factors = [1]
    while let last = factors.last,
      last.multiplied(by: tileWidth) < max(picture.width, picture.height)
    {
      factors.append(2 * last)
    }
    return factors.count == 1 ? nil : [Document.Tiles(width: tileWidth, scaleFactors: factors)]
  }
}

private struct Document: Encodable, Sendable {
  struct Size: Encodable, Sendable {
    let width: Int
    let height: Int
  }

  struct Tiles: Encodable, Sendable {
    let width: Int
    let scaleFactors: [Int]
  }

  private enum CodingKeys: String, CodingKey {
    case context = "@context"
    case id, type, `protocol`, profile, width, height, maxWidth, maxHeight, maxArea, sizes, tiles
    case extraQualities, extraFeatures
  }

  let context = "http://iiif.io/api/image/3/context.json"
  let id: String
  let type = "ImageService3"
  let `protocol` = "http://iiif.io/api/image"
  let profile = "level2"
  let width: Int
  let height: Int
  let maxWidth = Rendering.longestSide
  let maxHeight = Rendering.longestSide
  let maxArea = Rendering.largestArea
  let sizes: [Size]
  let tiles: [Tiles]?
  let extraQualities = ["color", "gray", "bitonal"]
  let extraFeatures = ["mirroring"]
}
