import Workers

/// Hands on what a document consists of, unpacked where it is gzip although nothing says so.
struct Unpacking {
  private enum State {
    case opening
    case plain
    case packed(GzipUnpacker)
  }

  private var state = State.opening
  private var waiting: [UInt8] = []

  /// What was wrong; known at the end.
  var flaws: [DocumentFlaw] {
    guard case .packed(let unpacker) = state, !unpacker.isComplete else { return [] }
    return [unpacker.isDamaged ? .damagedGzip : .cutGzip]
  }

  /// Whether this is an archive of which nothing could be unpacked.
  var isUnreadable: Bool {
    guard case .packed(let unpacker) = state else { return false }
    return unpacker.total == 0
  }

  /// Takes the next bytes; `isLast` when nothing follows them.
  mutating func append(_ bytes: [UInt8], isLast: Bool) {
    if case .packed(let unpacker) = state { return unpacker.append(bytes) }
    waiting += bytes
    guard case .opening = state, isLast || waiting.count >= Self.mark.count else { return }
    state = .plain
    guard waiting.starts(with: Self.mark), let unpacker = GzipUnpacker() else { return }
    unpacker.append(waiting)
    waiting = []
    state = .packed(unpacker)
  }

  /// The next part of the document; nil when more bytes are needed.
  ///
  /// - Throws: when it unpacks to more than the limit.
  mutating func next() throws(FeedError) -> [UInt8]? {
    switch state {
    case .opening: return nil
    case .packed(let unpacker): return try unpacker.next()
    case .plain:
      guard !waiting.isEmpty else { return nil }
      defer { waiting = [] }
      return waiting
    }
  }

  /// What every gzip file begins with, the method that there is among it.
  private static let mark: [UInt8] = [0x1F, 0x8B, 8]
}
