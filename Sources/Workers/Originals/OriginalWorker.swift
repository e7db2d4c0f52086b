import Models

/// Fetches originals: streamed to a file beside, checked, and stored only when they are whole.
package struct OriginalWorker: OriginalFetching {
  private let network: any Networking
  private let store: any OriginalStoring & OriginalReading

  package init(network: any Networking, store: any OriginalStoring & OriginalReading) {
    self.network = network
    self.store = store
  }

  package func fetch(
    _ request: OriginalRequest,
    progress: (_ received: Int, _ total: Int?) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    let file = try await makeFile(for: request)
    do throws(Failure) {
      // Whoever held the file before us may have been fetching the same original.
      if let stored = try storedOriginal(for: request) {
        file.discard()
        return FetchedOriginal(original: stored, wasDownloaded: false, wireBytes: 0)
      }
      return try await download(request, into: file, progress: progress)
    } catch {
      file.discard()
      throw error
    }
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
      let stored = try store.original(imageID: request.imageID)
      return stored?.isStale == true ? nil : stored
    } catch {
      throw .store(error)
    }
  }

  private func download(
    _ request: OriginalRequest,
    into file: any OriginalWriting,
    progress: (_ received: Int, _ total: Int?) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    let response = try await open(request)
    var arrival = OriginalArrival(file: file, contentLength: response.header.contentLength)
    while let bytes = try await nextBytes(of: response.body) {
      try arrival.take(bytes)
      progress(arrival.received, response.header.contentLength)
    }
    let info = try arrival.check()
    do {
      let original = try file.commit(
        info: info,
        from: request.address,
        validators: response.header.validators
      )
      let wireBytes = response.body.wireBytes
      return FetchedOriginal(original: original, wasDownloaded: true, wireBytes: wireBytes)
    } catch {
      throw .store(error)
    }
  }

  private func open(_ request: OriginalRequest) async throws(Failure) -> NetworkResponse {
    let networkRequest = NetworkRequest(
      address: request.address,
      accept: AcceptField.pictures,
      byteLimit: SyncLimits.originalBytes,
      fileFolder: request.fileFolder
    )
    let response: NetworkResponse
    do {
      response = try await network.open(networkRequest)
    } catch {
      throw .network(error)
    }
    guard response.header.status == 200 else { throw .status(response.header.status) }
    return response
  }

  private func nextBytes(of body: any NetworkBody) async throws(Failure) -> [UInt8]? {
    do {
      return try await body.next()
    } catch {
      throw .network(error)
    }
  }
}
