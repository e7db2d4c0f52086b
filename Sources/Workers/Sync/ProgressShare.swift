/// One feed's share in the thumbnails or originals that a progress counts.
///
/// The progress never counts more done than there are, and at the end none is left over: pictures
/// that come up meanwhile are added, and those that are given up are taken away.
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

  /// Adds pictures that are to be asked for.
  mutating func announce(_ number: Int) {
    left += number
    progress.update { $0[keyPath: part].total += number }
  }

  /// Says that so many are left to be asked for, however many were announced.
  mutating func settle(at number: Int) { announce(number - left) }

  /// One is done, however it came out; its bytes are counted unless that happened on the way.
  mutating func finishOne(bytes: Int = 0) {
    let wasAnnounced = left > 0
    if wasAnnounced { left -= 1 }
    progress.update {
      if !wasAnnounced { $0[keyPath: part].total += 1 }
      $0[keyPath: part].done += 1
      $0.bytes += bytes
    }
  }

  /// Takes away what does not come any more.
  mutating func end() { settle(at: 0) }
}
