import Workers

/// One feed's share in the thumbnails or originals that a progress counts.
///
/// The progress never counts more pictures as done than its total, and at the end no picture is left over. Pictures
/// that are found later are added, and those that are given up are removed.
struct ProgressShare {
  private let progress: SyncProgress
  private let part: WritableKeyPath<SyncProgress.Snapshot, SyncProgress.Part>
  private var left = 0

  init(
    of progress: SyncProgress,
    _ part: WritableKeyPath<SyncProgress.Snapshot, SyncProgress.Part>
  ) {
    self.progress = progress
    self.part = part
  }

  /// Adds pictures that are to be requested.
  mutating func announce(_ number: Int) {
    left += number
    progress.update { $0[keyPath: part].total += number }
  }

  /// Sets the number of pictures that are left to request, no matter how many were announced.
  mutating func settle(at number: Int) { announce(number - left) }

  /// Counts one picture as done, with any outcome, and those of its bytes that were not counted as they arrived.
  mutating func finishOne(bytes: Int = 0) {
    let wasAnnounced = left > 0
    if wasAnnounced { left -= 1 }
    progress.update {
      if !wasAnnounced { $0[keyPath: part].total += 1 }
      $0[keyPath: part].done += 1
      $0.bytes += bytes
    }
  }

  /// Removes the pictures that will not arrive.
  mutating func end() { settle(at: 0) }
}
