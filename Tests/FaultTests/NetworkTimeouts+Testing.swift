import CurlNetwork

extension NetworkTimeouts {
  /// Longer than a busy machine keeps a task of a test waiting.
  static var patient: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(600)
    timeouts.stall = .seconds(600)
    return timeouts
  }

  /// As short as they get.
  static var short: NetworkTimeouts {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(1)
    timeouts.stall = .seconds(1)
    return timeouts
  }
}
