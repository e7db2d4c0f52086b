import Models
import Workers

/// The use cases about stored data of the image: facts, bytes, and copies of them.
extension ShowImageInteractor {
  package func describeImage() async {
    guard let image else { return presentNoImage() }
    do throws(RequestFailure) {
      let original = try await storedOriginal(of: image)
      let newer = try await successors(of: image)
      presenter.presentDescribedImage(
        response: .init(
          image: image,
          original: original,
          newer: newer,
          details: await cameraDetails(of: original)
        )
      )
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  /// What the camera has written into a stored original.
  private func cameraDetails(of original: StoredOriginal?) async -> PictureDetails? {
    guard let original, let details else { return nil }
    return await details.details(of: original)
  }

  package func explainImage() async {
    guard let image else { return presentNoImage() }
    do throws(StoreError) {
      guard let storage = try await library.storage(imageID: image.id) else {
        return presenter.presentFailure(response: .init(failure: .noSuchImage(id: image.id)))
      }
      let addresses = [
        storage.feed.address, image.originalAddress, image.thumbnailAddress,
      ].compactMap(\.self)
      let pauses = try pauses?.pauses(of: addresses) ?? []
      presenter.presentExplainedImage(
        response: .init(
          image: image,
          storage: storage,
          original: try await library.original(imageID: image.id),
          newer: try await library.successors(imageID: image.id),
          pauses: pauses
        )
      )
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .show)))
    }
  }

  /// Pins or unpins the image, and presents its facts again.
  package func pinImage(request: ShowImage.PinImage.Request) async {
    guard let id = image?.id else { return presentNoImage() }
    do throws(StoreError) {
      guard try await pins.setPinned(request.isPinned, imageID: id) else {
        return presenter.presentFailure(response: .init(failure: .noSuchImage(id: id)))
      }
      image?.isPinned = request.isPinned
      await describeImage()
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .show)))
    }
  }

  // MARK: Newer pictures

  func successors(of image: WebImage) async throws(RequestFailure) -> [Successor] {
    do {
      return try await library.successors(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
  }

  /// Shows the newer picture that is kept beside the stored one: the original, or else the thumbnail.
  package func fetchNewer(request: ShowImage.FetchNewer.Request) async {
    guard let image else { return presentNoImage() }
    do throws(RequestFailure) {
      guard let newer = try await successors(of: image).first else {
        throw .noNewer(imageID: image.id)
      }
      if let time = request.holdTime, case .file(let path) = newer.source {
        await originalWorker.letGo()
        _ = await originalWorker.hold(path, for: time)
      }
      let destination = request.destination?.named(image.fileName(newer.info.format))
      if let destination { try await export(newer.exported(beside: image), to: destination) }
      presenter.presentFetchedNewer(
        response: .init(
          image: image,
          newer: newer,
          pixels: await pixels(of: newer.source, in: request.room),
          copy: destination
        )
      )
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  /// Puts the newer pictures in the places of the stored ones, and presents the image's facts.
  package func takeNewer() async {
    guard let id = image?.id else { return presentNoImage() }
    do throws(StoreError) {
      guard try await pins.takeNewer(imageID: id) else {
        return presenter.presentFailure(response: .init(failure: .noNewer(imageID: id)))
      }
      image = try await library.image(id: id)
      await describeImage()
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .take)))
    }
  }

  // MARK: Stored bytes, and copies of them

  func export(
    thumbnailOf image: WebImage,
    to destination: ExportDestination?
  ) async throws(RequestFailure) {
    guard let destination else { return }
    guard let bytes = try await thumbnailBytes(of: image) else {
      throw .noThumbnail(imageID: image.id, isDamaged: true)
    }
    try await export(.thumbnail(bytes), to: destination)
  }

  package func readThumbnail() async {
    guard let image else { return presentNoImage() }
    do throws(RequestFailure) {
      guard let thumbnail = image.thumbnail, !image.isThumbnailDamaged,
        let bytes = try await thumbnailBytes(of: image)
      else { throw .noThumbnail(imageID: image.id, isDamaged: image.thumbnail != nil) }
      presenter.presentReadThumbnail(response: .init(thumbnail: thumbnail, bytes: bytes))
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  /// The bytes of the thumbnail; if they are damaged, marks that in the library and returns nil.
  func thumbnailBytes(of image: WebImage) async throws(RequestFailure) -> [UInt8]? {
    do {
      if let bytes = try await library.thumbnailBytes(imageID: image.id) { return bytes }
    } catch {
      throw .library(error, .show)
    }
    await remember(.thumbnail(imageID: image.id))
    return nil
  }

  func remember(_ damaged: StoredOriginal, of image: WebImage) async {
    await remember(.original(path: damaged.path, imageIDs: [image.id]))
  }

  /// Marks damage in the library; if that fails, the next read finds the damage again.
  private func remember(_ damaged: CheckedThing) async {
    do { try await marker.mark(damaged, as: .damaged) } catch {}
  }

  func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) async throws(RequestFailure) {
    do {
      try exporter.export(picture, to: destination)
    } catch .closed {
      return
    } catch {
      throw .export(error)
    }
  }
}

extension Successor {
  private func exported(fileAt path: String) -> ExportedPicture {
    .original(StoredOriginal(path: path, sha256: sha256, info: info, isStale: false))
  }

  fileprivate func exported(beside image: WebImage) -> ExportedPicture {
    switch source {
    case .bytes(let bytes): .thumbnail(bytes)
    case .file(let path): exported(fileAt: path)
    case .opened(let file): exported(fileAt: file.path)
    }
  }
}

extension WebImage {
  /// The name of a copy in a folder: `{title} [{id}].{ext}`, as exports name files.
  func fileName(_ format: ImageFormat) -> String {
    let title =
      ImageTile.name(title: title, caption: caption) ?? NamedImage.name(in: originalAddress)
    let end = " [\(id)].\(format.fileExtension)"
    let room = FileName.longestPart - end.utf8.count
    let begin = FileName.shortened(FileName.cleaned(title), to: room)
    return FileName.finished(FileName.cleaned(begin + end))
  }
}
