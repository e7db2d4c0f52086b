import CurlNetwork

extension NetworkTimeouts {
  /// Longer than a busy machine delays a task of a test.
  static var patient: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(600)
    timeouts.stall = .seconds(600)
    return timeouts
  }

  /// The shortest time-outs that are possible.
  static var short: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(1)
    timeouts.stall = .seconds(1)
    return timeouts
  }
}
