import Models
import Workers

extension SiteExport {
  /// Writes the thumbnails, packs and originals of images into the site, or notes that they are missing.
  mutating func writePictures(of images: [ImageState]) async throws(SiteExportError) {
    for image in images {
      if let thumbnail = image.thumbnail { try await write(thumbnail: thumbnail.info) }
      if let pack = image.thumbnail?.pack { try write(pack: pack.hash) }
      if plan.hasOriginals, let original = image.original {
        try await write(original: original.info, of: image.id)
      }
    }
  }

  /// The image with only the pictures that the site has.
  func published(_ image: ImageState) -> ImageState {
    var image = image
    if isMissing(image.thumbnail?.info) { image.thumbnail = nil }
    if let pack = image.thumbnail?.pack, packs[pack.hash] == nil { image.thumbnail?.pack = nil }
    if !plan.hasOriginals || isMissing(image.original?.info) { image.original = nil }
    return image
  }

  private func isMissing(_ info: PictureInfo?) -> Bool {
    guard let info else { return false }
    return info.hash.map(missing.contains) ?? true
  }

  private mutating func write(thumbnail info: PictureInfo) async throws(SiteExportError) {
    guard let hash = info.hash else { return }
    let name = "t/\(hash.hexadecimal)"
    kept.add(picture: hash)
    if folder.has(name, bytes: info.bytes, hash: hash) { return }
    let picture = try await SiteExportError.ofStore(await exporter.library.thumbnail(hash))
    guard let picture else {
      missing.insert(hash)
      return
    }
    if try folder.write(picture.bytes, to: name) { count(picture.bytes.count) }
  }

  /// Writes a pack, unless it has changed since it was sealed; its thumbnails are also separate files.
  private mutating func write(pack hash: SHA256Digest) throws(SiteExportError) {
    let name = "p/\(hash.hexadecimal)"
    guard let pack = packs[hash], !kept.contains(name) else { return }
    kept.add(name)
    if folder.has(name, bytes: pack.bytes, hash: hash) { return }
    if try folder.copy(pack.path, bytes: pack.bytes, hash: hash, to: name) {
      count(pack.bytes)
    } else {
      packs[hash] = nil
    }
  }

  private mutating func write(
    original info: PictureInfo,
    of imageID: Int64
  ) async throws(SiteExportError) {
    guard let hash = info.hash, !missing.contains(hash) else { return }
    let name = "o/\(hash.hexadecimal)"
    kept.add(picture: hash)
    if folder.has(name, bytes: info.bytes, hash: hash) { return }
    await exporter.originals?.bringBack(imageID: imageID)
    let original = try await SiteExportError.ofStore(await exporter.library.original(hash))
    guard let original else {
      missing.insert(hash)
      return
    }
    let bytes = original.info.bytes
    if try folder.copy(original.path, bytes: bytes, hash: hash, to: name) {
      count(bytes)
    } else {
      missing.insert(hash)
      progress.withLock { $0.damaged += 1 }
      tell(.damaged(path: original.path))
    }
  }
}
