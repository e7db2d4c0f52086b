import Workers

/// Where the time of a sync went, for scripts; times in seconds, to the thousandth.
package struct SyncTimingsRecord: Equatable, Sendable {
  package struct Phases: Equatable, Sendable {
    package var queueing: Double
    package var lookingUp: Double
    package var connecting: Double
    package var securing: Double
    package var waiting: Double
    package var receiving: Double
    package var parsing: Double
    package var decoding: Double
    package var storing: Double
    package var committing: Double
    package var flushing: Double
    package var filing: Double
  }

  package struct Counts: Equatable, Sendable {
    package var requests: Int
    package var responses: Int
    package var unchanged: Int
    package var connections: Int
    package var bytes: Int
    package var documents: Int
    package var images: Int
    package var pictures: Int
    package var transactions: Int
    package var rows: Int
    package var flushes: Int
    package var originals: Int
    package var originalBytes: Int
  }

  package var seconds: Double
  package var phases: Phases
  package var counts: Counts
}

extension SyncTimingsRecord {
  init(_ timings: SyncTimings) {
    self.init(
      seconds: Wording.roundedThousandths(timings.whole),
      phases: Phases(timings),
      counts: Counts(timings.counts)
    )
  }
}

extension SyncTimingsRecord.Phases {
  fileprivate init(_ timings: SyncTimings) {
    func seconds(_ phase: SyncPhase) -> Double { Wording.roundedThousandths(timings[phase]) }
    self.init(
      queueing: seconds(.queueing),
      lookingUp: seconds(.lookingUp),
      connecting: seconds(.connecting),
      securing: seconds(.securing),
      waiting: seconds(.waiting),
      receiving: seconds(.receiving),
      parsing: seconds(.parsing),
      decoding: seconds(.decoding),
      storing: seconds(.storing),
      committing: seconds(.committing),
      flushing: seconds(.flushing),
      filing: seconds(.filing)
    )
  }
}

extension SyncTimingsRecord.Counts {
  fileprivate init(_ counts: SyncCounts) {
    self.init(
      requests: counts.requests,
      responses: counts.responses,
      unchanged: counts.unchanged,
      connections: counts.connections,
      bytes: counts.bytes,
      documents: counts.documents,
      images: counts.images,
      pictures: counts.pictures,
      transactions: counts.transactions,
      rows: counts.rows,
      flushes: counts.flushes,
      originals: counts.originals,
      originalBytes: counts.originalBytes
    )
  }
}
