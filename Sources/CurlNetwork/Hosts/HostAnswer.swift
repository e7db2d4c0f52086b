import FoundationEssentials

/// What a response says of its host's health.
struct HostAnswer {
  let status: Int
  /// When the pause that the host asks for ends.
  let retryAfter: Date?

  /// Whether the same request may get another answer before long.
  var isRetryable: Bool {
    switch status {
    case 408, 429, 500, 502, 503, 504: true
    default: false
    }
  }

  /// Whether all of the host's traffic is to wait.
  var pausesHost: Bool { status == 429 || (status == 503 && retryAfter != nil) }
}
