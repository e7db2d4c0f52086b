import Models
import TestSupport
import Workers

/// The body of a fake reply, chunk by chunk.
final class FakeBody: NetworkBody {
  private let reply: FakeReply
  private let address: WebAddress
  private let letGo: Tally
  private let delivered = Locked(0)

  init(_ reply: FakeReply, address: WebAddress, letGo: Tally) {
    self.reply = reply
    self.address = address
    self.letGo = letGo
  }

  deinit {
    if delivered.withLock({ $0 }) < reply.chunks.count { letGo.add() }
  }

  func next() async throws(NetworkError) -> [UInt8]? {
    if delivered.withLock({ $0 }) == reply.chunks.count { await reply.endGate?.passed() }
    if Task.isCancelled { throw NetworkError(.cancelled, at: address) }
    let chunk = delivered.withLock { delivered -> [UInt8]? in
      guard delivered < reply.chunks.count else { return nil }
      delivered += 1
      return reply.chunks[delivered - 1]
    }
    if chunk == nil, let reason = reply.breakage { throw NetworkError(reason, at: address) }
    return chunk
  }

  var hasNext: Bool {
    delivered.withLock { $0 } < reply.chunks.count || reply.endGate == nil
  }

  var wireBytes: Int {
    let chunks = reply.chunks.prefix(delivered.withLock { $0 })
    return chunks.reduce(FakeReply.headerBytes) { $0 + $1.count }
  }
}
