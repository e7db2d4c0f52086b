import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

extension NetworkWorker {
  /// A worker with long time-outs and with retries after milliseconds.
  static func testing(
    limits: ConnectionLimits = ConnectionLimits(),
    timeouts: NetworkTimeouts = .patient,
    certificateFile: String? = nil,
    extraCertificates: [UInt8] = [],
    feedAuthorities: [FeedAuthorities] = [],
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
      certificateFile: certificateFile,
      extraCertificates: extraCertificates,
      feedAuthorities: feedAuthorities,
      netrcFile: netrcFile,
      originFields: originFields,
      rates: rates,
      retries: retries,
      pauses: pauses,
      environment: environment,
      classify: classify
    )
  }

  /// The failure of a fetch; nil if the fetch succeeds.
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
  /// Longer than a busy machine delays a task of a test.
  static var patient: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(600)
    timeouts.stall = .seconds(600)
    return timeouts
  }
}

extension RetryPolicy {
  /// The usual rules, a thousand times as fast, but slow enough for a busy machine.
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

  /// A policy whose pauses are so long that no test waits for them.
  static var slow: RetryPolicy {
    var policy = RetryPolicy()
    policy.firstDelay = .seconds(3600)
    policy.longestDelay = .seconds(3600)
    policy.budget = .seconds(7200)
    return policy
  }
}

extension LoopbackServer {
  /// A server that gives the same response to every request.
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
  /// Reads the body to its end.
  func all() async throws(NetworkError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try await next() { bytes += chunk }
    return bytes
  }
}
