import CurlNetwork

extension NetworkTimeouts {
  /// Longer than a busy machine delays a task of a test.
  static var patient: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(600)
    timeouts.stall = .seconds(600)
    return timeouts
  }

  /// Time-outs that tests can wait for, and that a busy machine does not reach with a sound server.
  static var short: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(8)
    timeouts.stall = .seconds(8)
    return timeouts
  }
}
