package import FoundationEssentials
import Models

/// Fetches originals: streamed to a file beside, checked, and stored only when they are whole.
package struct OriginalWorker: OriginalFetching {
  private let network: any Networking
  private let store: any OriginalStoring & OriginalReading & MadeThumbnailStoring
  private let imaging: (any ImageDecoding)?
  private let now: @Sendable () -> Date

  package init(
    network: any Networking,
    store: any OriginalStoring & OriginalReading & MadeThumbnailStoring,
    imaging: (any ImageDecoding)?,
    now: @escaping @Sendable () -> Date
  ) {
    self.network = network
    self.store = store
    self.imaging = imaging
    self.now = now
  }

  package func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    let file = try await makeFile(for: request)
    do throws(Failure) {
      // Whoever held the file before us may have been fetching the same original.
      let stored = try storedOriginal(for: request)
      if let stored, stored.isRight, !request.isCheck {
        file.suspend()
        return FetchedOriginal(original: stored, wasDownloaded: false, wireBytes: 0)
      }
      let fetch = OriginalFetch(
        request: request,
        stored: stored,
        file: file,
        network: network,
        store: store,
        now: now
      )
      return try await fetch.run(progress)
    } catch {
      file.suspend()
      throw error
    }
  }

  package func makeThumbnail(imageID: Int64) async {
    guard let imaging, let order = try? store.unmadeOrder(imageID: imageID) else { return }
    let originals = StoredOriginalThumbnails(store: store, imaging: imaging, now: now)
    guard let thumbnail = try? await originals.thumbnail(order) else { return }
    try? store.storeMade(ThumbnailBatch(new: [thumbnail]))
  }

  private func makeFile(
    for request: OriginalRequest
  ) async throws(Failure) -> any OriginalWriting {
    do {
      return try await store.makeOriginalFile(imageID: request.imageID)
    } catch {
      throw .store(error)
    }
  }

  private func storedOriginal(for request: OriginalRequest) throws(Failure) -> StoredOriginal? {
    do {
      return try store.original(imageID: request.imageID)
    } catch {
      throw .store(error)
    }
  }
}
