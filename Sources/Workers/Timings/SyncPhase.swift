/// What the time of a sync goes into.
///
/// The phases of many transfers and feeds run at the same time, and those of one transfer one after
/// the other: their times are sums over all of that, and do not add up to the time of the whole.
package enum SyncPhase: String, Sendable, CaseIterable {
  /// Requests wait for their turn: at their hosts, for a pause to be over, and among all.
  case queueing
  /// Names of hosts are looked up.
  case lookingUp
  /// Connections are opened.
  case connecting
  /// TLS is agreed on.
  case securing
  /// Requests are sent, and the first bytes of their responses awaited.
  case waiting
  /// Responses arrive, from their first byte to their last; when their reader is busy, it is waited for.
  case receiving
  /// Documents are read into images.
  case parsing
  /// Pictures are decoded and made smaller, with the wait for a process that has time.
  case decoding
  /// Transactions are carried out, up to their commits, with the wait for other processes' ones.
  case storing
  /// Transactions are committed, which now and then moves the log into the database.
  case committing
  /// What was committed is brought to the disk.
  case flushing
  /// Originals are written to their files, hashed, and brought to the disk.
  case filing
}
