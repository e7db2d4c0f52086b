import Workers

extension Wording {
  /// What stands above the phases of a sync: they cannot be added up.
  static func titleOfTimings(_ whole: Duration) -> String {
    "where \(thousandths(whole)) went — what runs at the same time is summed up, so the parts do not add up to it"
  }

  static func name(of phase: SyncPhase) -> String {
    switch phase {
    case .queueing: "queueing"
    case .lookingUp: "looking up"
    case .connecting: "connecting"
    case .securing: "securing"
    case .waiting: "waiting"
    case .receiving: "receiving"
    case .parsing: "parsing"
    case .decoding: "decoding"
    case .storing: "storing"
    case .committing: "committing"
    case .flushing: "flushing"
    case .filing: "filing"
    }
  }

  /// What the time of a phase was spent on.
  static func detail(of phase: SyncPhase, _ counts: SyncCounts) -> String {
    switch phase {
    case .queueing: "requests that wait for their turn at a host"
    case .lookingUp: "names of hosts"
    case .connecting: "\(count(counts.connections, "connection")) opened"
    case .securing: "agreeing on TLS"
    case .waiting: waiting(counts)
    case .receiving: "\(size(counts.bytes)) over the network"
    case .parsing: "\(count(counts.documents, "document")), \(count(counts.images, "image"))"
    case .decoding: "\(count(counts.pictures, "picture")) made smaller"
    case .storing: "\(count(counts.rows, "row")) written"
    case .committing: count(counts.transactions, "transaction")
    case .flushing: "\(count(counts.flushes, "time")) all brought to the disk"
    case .filing:
      "\(count(counts.originals, "original")) kept, \(size(counts.originalBytes)) written"
    }
  }

  private static func waiting(_ counts: SyncCounts) -> String {
    let requests = "\(count(counts.requests, "request")), \(count(counts.responses, "response"))"
    return counts.unchanged > 0 ? "\(requests), \(grouped(counts.unchanged)) unchanged" : requests
  }
}
