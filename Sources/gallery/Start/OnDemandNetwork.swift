import Workers

/// A network worker that is started when it is called for, so that what is stored is shown without
/// the transfer library's own start.
///
/// That start takes as long as several small commands. It goes on beside whatever else is done, and
/// holds up requests alone.
final class OnDemandNetwork: Networking {
  private let worker = Locked<Task<any Networking, Never>?>(nil)
  private let start: @Sendable () -> any Networking

  init(start: @escaping @Sendable () -> any Networking) { self.start = start }

  /// Begins its start, when there will be requests before long; the first request does otherwise.
  func prepare() { _ = starting() }

  /// Waits for the end of a start that has begun.
  ///
  /// What it loads is taken apart when the process ends (atexit(3)), which may not happen while it is
  /// still being put together.
  func settle() async { _ = await worker.withLock { $0 }?.value }

  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse {
    try await starting().value.open(request)
  }

  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply {
    try await starting().value.fetch(request)
  }

  func group(_ answer: @escaping FetchAnswer) async -> any FetchGroup {
    await starting().value.group(answer)
  }

  private func starting() -> Task<any Networking, Never> {
    worker.withLock { worker in
      // Detached: the one who asks first may be cancelled, and the others still wait for it.
      let task = worker ?? Task.detached { [start] in start() }
      worker = task
      return task
    }
  }
}
