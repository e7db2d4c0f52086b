package import Models

/// Decodes stored thumbnails, several at the same time.
package struct StoredThumbnailDecoder: Sendable {
  /// The most thumbnails that are being decoded, or are decoded and waiting for their turn.
  private static let ahead = 16

  private typealias Decoded = Result<DecodedPixels?, ImagingError>

  private let library: any LibraryReading
  private let decoder: any ImageDecoding

  package init(library: any LibraryReading, decoder: any ImageDecoding) {
    self.library = library
    self.decoder = decoder
  }

  /// Passes the decoded thumbnails of images to `body`, in the order of the images.
  ///
  /// - Parameters:
  ///   - images: The images.
  ///   - box: The box into which each picture has to fit.
  ///   - body: Gets nil for an image without a thumbnail, or with one that cannot be decoded.
  /// - Throws: the reason why the decoder cannot decode any picture; `body` has received the earlier pictures.
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
    // An unreadable thumbnail is handled like a missing one; `verify` reports the damage.
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
