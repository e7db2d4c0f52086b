import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

extension NetworkWorker {
  /// A worker that no time-out disturbs.
  static func testing(
    limits: ConnectionLimits = ConnectionLimits(),
    timeouts: NetworkTimeouts = NetworkTimeouts(),
    netrcFile: String? = nil
  ) -> NetworkWorker {
    NetworkWorker(
      userAgent: "gallery/test",
      limits: limits,
      timeouts: timeouts,
      netrcFile: netrcFile
    )
  }

  /// The failure of a fetch; nil when it does not fail.
  func failure(of request: NetworkRequest) async -> NetworkError? {
    do {
      _ = try await fetch(request)
      return nil
    } catch {
      return error
    }
  }
}

extension LoopbackServer {
  /// A server that answers every request alike.
  static func always(_ response: LoopbackResponse) throws -> LoopbackServer {
    try LoopbackServer { _ in response }
  }

  func request(_ path: String = "/", limit: Int = 1_000_000) throws -> NetworkRequest {
    NetworkRequest(address: try #require(address(path)), byteLimit: limit)
  }
}

extension NetworkBody {
  /// Everything up to the end.
  func all() async throws(NetworkError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try await next() { bytes += chunk }
    return bytes
  }
}
