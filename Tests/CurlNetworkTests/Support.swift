import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

extension NetworkWorker {
  /// A worker that no time-out disturbs, and that tries again within milliseconds.
  static func testing(
    limits: ConnectionLimits = ConnectionLimits(),
    timeouts: NetworkTimeouts = .patient,
    netrcFile: String? = nil,
    originFields: [OriginFields] = [],
    rates: TransferRates = TransferRates(),
    retries: RetryPolicy = .quick,
    pauses: (any HostPausing)? = nil,
    environment: [String: String] = [:],
    classify: @escaping @Sendable (IPAddress) -> AddressClass = { AddressClass($0) }
  ) -> NetworkWorker {
    NetworkWorker(
      userAgent: "gallery/test",
      limits: limits,
      timeouts: timeouts,
      netrcFile: netrcFile,
      originFields: originFields,
      rates: rates,
      retries: retries,
      pauses: pauses,
      environment: environment,
      classify: classify
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

extension NetworkTimeouts {
  /// Longer than a busy machine keeps a task of a test waiting.
  static var patient: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(600)
    timeouts.stall = .seconds(600)
    return timeouts
  }
}

extension RetryPolicy {
  /// The same rules a thousand times as fast, but with time enough for a busy machine.
  static var quick: RetryPolicy {
    var policy = RetryPolicy()
    policy.firstDelay = .milliseconds(1)
    policy.longestDelay = .milliseconds(30)
    return policy
  }
}

extension RetryPolicy {
  static var never: RetryPolicy {
    var policy = RetryPolicy()
    policy.retries = 0
    return policy
  }

  /// One that no test waits for.
  static var slow: RetryPolicy {
    var policy = RetryPolicy()
    policy.firstDelay = .seconds(3600)
    policy.longestDelay = .seconds(3600)
    policy.budget = .seconds(7200)
    return policy
  }
}

extension LoopbackServer {
  /// A server that answers every request alike.
  static func always(
    _ response: LoopbackResponse,
    on host: String = "127.0.0.1"
  ) throws -> LoopbackServer {
    try LoopbackServer(on: host) { _ in response }
  }

  func request(
    _ path: String = "/",
    reach: NetworkReach = .anywhere,
    limit: Int = 1_000_000
  ) throws -> NetworkRequest {
    NetworkRequest(address: try #require(address(path)), reach: reach, byteLimit: limit)
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
