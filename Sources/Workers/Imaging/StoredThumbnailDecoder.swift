package import Models

/// Decodes stored thumbnails, several at once.
package struct StoredThumbnailDecoder: Sendable {
  /// How many are at work or done before their turn, at most.
  private static let ahead = 16

  private typealias Decoded = Result<DecodedPixels?, ImagingError>

  private let library: any LibraryReading
  private let decoder: any ImageDecoding

  package init(library: any LibraryReading, decoder: any ImageDecoding) {
    self.library = library
    self.decoder = decoder
  }

  /// Gives the thumbnails of images to `body`, in their order, each as soon as it is its turn.
  ///
  /// - Parameters:
  ///   - images: The images.
  ///   - box: What each picture has to fit into.
  ///   - body: Hears nil for an image that has no thumbnail, or one that cannot be decoded.
  /// - Throws: why no picture at all can be decoded; `body` has heard of those before.
  package func decode(
    _ images: [WebImage],
    fitting box: PixelSize,
    _ body: (DecodedPixels?) -> Void
  ) async throws(ImagingError) {
    let result = await withTaskGroup(of: (Int, Decoded).self) { group in
      var (begun, given) = (0, 0)
      var waiting: [Int: Decoded] = [:]
      while given < images.count {
        while begun < min(images.count, given + Self.ahead) {
          let (index, image) = (begun, images[begun])
          group.addTask { (index, await pixels(of: image, fitting: box)) }
          begun += 1
        }
        if let decoded = waiting.removeValue(forKey: given) {
          guard case .success(let pixels) = decoded else { return decoded }
          body(pixels)
          given += 1
        } else if let (index, decoded) = await group.next() {
          waiting[index] = decoded
        }
      }
      return .success(nil)
    }
    _ = try result.get()
  }

  private func pixels(of image: WebImage, fitting box: PixelSize) async -> Decoded {
    // A thumbnail that cannot be read is as good as none: `verify` tells of the damage.
    guard image.thumbnail != nil, let bytes = try? await library.thumbnailBytes(imageID: image.id)
    else {
      return .success(nil)
    }
    do {
      return .success(try await decoder.pixels(of: .bytes(bytes), fitting: box, extent: .whole))
    } catch {
      return error.isOfDecoder ? .failure(error) : .success(nil)
    }
  }
}
