import Scenes

extension JSONLine {
  static func line(_ record: SyncTimingsRecord) -> [UInt8] {
    object { line in
      line.member("timings") { timings in
        timings.member("seconds", record.seconds)
        timings.member("phases") { $0.members(record.phases) }
        timings.member("counts") { $0.members(record.counts) }
      }
    }
  }

  private mutating func members(_ phases: SyncTimingsRecord.Phases) {
    member("queueing", phases.queueing)
    member("lookingUp", phases.lookingUp)
    member("connecting", phases.connecting)
    member("securing", phases.securing)
    member("waiting", phases.waiting)
    member("receiving", phases.receiving)
    member("parsing", phases.parsing)
    member("decoding", phases.decoding)
    member("storing", phases.storing)
    member("committing", phases.committing)
    member("flushing", phases.flushing)
    member("filing", phases.filing)
  }

  private mutating func members(_ counts: SyncTimingsRecord.Counts) {
    member("requests", counts.requests)
    member("responses", counts.responses)
    member("unchanged", counts.unchanged)
    member("connections", counts.connections)
    member("bytes", counts.bytes)
    member("documents", counts.documents)
    member("images", counts.images)
    member("pictures", counts.pictures)
    member("transactions", counts.transactions)
    member("rows", counts.rows)
    member("flushes", counts.flushes)
    member("originals", counts.originals)
    member("originalBytes", counts.originalBytes)
  }
}
