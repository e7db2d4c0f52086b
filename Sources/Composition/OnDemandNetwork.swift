import Workers

/// A network worker that starts with its first request.
///
/// Starting loads libcurl, which takes longer than a command that only reads the library.
final class OnDemandNetwork: Networking {
  private let worker = Locked<Task<any Networking, Never>?>(nil)
  private let start: @Sendable () -> any Networking

  init(start: @escaping @Sendable () -> any Networking) { self.start = start }

  /// Starts the worker before its first request.
  func prepare() { _ = starting() }

  /// Waits for a start that is in progress.
  ///
  /// The process must not end earlier, because exit functions (atexit(3)) unload the libraries.
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
      // It is detached, because the first caller may be cancelled while others wait for the same start.
      let task = worker ?? Task.detached { [start] in start() }
      worker = task
      return task
    }
  }
}
