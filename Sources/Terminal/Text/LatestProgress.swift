import Workers

/// The progress presented last, for the status line to sample.
final class LatestProgress: Sendable {
  private let latest = Locked<StatusLine.Content?>(nil)

  var content: StatusLine.Content {
    latest.withLock { $0 } ?? StatusLine.Content(fraction: nil, text: "")
  }

  /// Takes the latest, and tells whether it is the first.
  func set(_ content: StatusLine.Content) -> Bool {
    latest.withLock { latest in
      defer { latest = content }
      return latest == nil
    }
  }

  /// Forgets it, so that the next is the first again.
  func clear() { latest.withLock { $0 = nil } }
}
