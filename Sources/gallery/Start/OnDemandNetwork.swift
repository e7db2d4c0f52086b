import Workers

/// A network worker that is started by the first request, so that what is stored is shown without
/// waiting for the transfer library's own start.
final class OnDemandNetwork: Networking {
  private let worker = Locked<(any Networking)?>(nil)
  private let start: @Sendable () -> any Networking

  init(start: @escaping @Sendable () -> any Networking) { self.start = start }

  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse {
    try await started().open(request)
  }

  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply {
    try await started().fetch(request)
  }

  private func started() -> any Networking {
    worker.withLock { worker in
      let running = worker ?? start()
      worker = running
      return running
    }
  }
}
