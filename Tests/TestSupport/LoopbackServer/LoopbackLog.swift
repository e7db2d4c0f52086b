import Workers

/// The requests, connections and bytes that a loopback server has counted.
final class LoopbackLog: Sendable {
  private struct State: Sendable {
    var requests: [LoopbackRequest] = []
    var arrivalTimes: [ContinuousClock.Instant] = []
    var sockets: [LoopbackSocket] = []
  }

  let connections = Tally()
  let arrivals = Tally()
  let sentBytes = Tally()
  let blockedSends = Tally()
  let brokenSends = Tally()
  private let state = Locked(State())

  var requests: [LoopbackRequest] { state.withLock { $0.requests } }

  var arrivalTimes: [ContinuousClock.Instant] { state.withLock { $0.arrivalTimes } }

  func connected(_ socket: LoopbackSocket) {
    state.withLock { $0.sockets.append(socket) }
    connections.add()
  }

  /// Records a request.
  ///
  /// - Returns: The number of requests, including this one.
  @discardableResult
  func arrived(_ request: LoopbackRequest) -> Int {
    let number = state.withLock { state in
      state.requests.append(request)
      state.arrivalTimes.append(.now)
      return state.requests.count
    }
    arrivals.add()
    return number
  }

  func disconnected(_ socket: LoopbackSocket) {
    state.withLock { state in state.sockets.removeAll { $0 === socket } }
  }

  func breakConnections() {
    for socket in state.withLock({ $0.sockets }) { socket.shutDown() }
  }
}
