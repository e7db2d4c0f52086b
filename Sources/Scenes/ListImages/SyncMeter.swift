import Workers

/// Measures how fast a sync goes, from one look at its progress to the next.
///
/// What counts is the last few seconds: over the whole run a stop would show only as a slow decline,
/// and a fast beginning would promise too much for all the rest.
struct SyncMeter {
  /// How fast a sync goes at one moment.
  struct Pace: Equatable {
    var bytesPerSecond = 0.0
    var picturesPerSecond = 0.0
    /// For how long nothing has come.
    var idle = Duration.zero
  }

  private struct Mark {
    var elapsed = Duration.zero
    var bytes = 0
    var pictures = 0
  }

  /// How far back is looked, and how far apart the marks for that are.
  private static let window = Duration.seconds(8)
  private static let step = Duration.milliseconds(500)

  private var marks = [Mark()]
  private var last = SyncProgress.Snapshot()
  private var lastChange = Duration.zero

  /// Takes a look, and tells the pace up to it.
  mutating func pace(at snapshot: SyncProgress.Snapshot) -> Pace {
    noteChange(snapshot)
    let now = Mark(
      elapsed: snapshot.elapsed,
      bytes: snapshot.bytes,
      pictures: snapshot.pictures.done
    )
    while marks.count > 1, now.elapsed - marks[1].elapsed >= Self.window { marks.removeFirst() }
    defer { if now.elapsed - marks[marks.count - 1].elapsed >= Self.step { marks.append(now) } }
    let seconds = max((now.elapsed - marks[0].elapsed) / .seconds(1), 0.001)
    return Pace(
      bytesPerSecond: Double(now.bytes - marks[0].bytes) / seconds,
      picturesPerSecond: Double(now.pictures - marks[0].pictures) / seconds,
      idle: snapshot.elapsed - lastChange
    )
  }

  private mutating func noteChange(_ snapshot: SyncProgress.Snapshot) {
    var unchanged = snapshot
    unchanged.elapsed = last.elapsed
    if unchanged != last { lastChange = snapshot.elapsed }
    last = snapshot
  }
}

extension SyncProgress.Snapshot {
  /// Thumbnails and originals together.
  var pictures: SyncProgress.Part {
    SyncProgress.Part(
      done: thumbnails.done + originals.done,
      total: thumbnails.total + originals.total
    )
  }
}
