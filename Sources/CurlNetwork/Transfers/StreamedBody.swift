import Workers

/// The reader's end of a transfer whose body is still coming.
final class StreamedBody: NetworkBody {
  let id: TransferID
  private let buffer: BodyBuffer
  private let inbox: LoopInbox

  init(id: TransferID, buffer: BodyBuffer, inbox: LoopInbox) {
    self.id = id
    self.buffer = buffer
    self.inbox = inbox
  }

  deinit {
    if !buffer.isEnded { inbox.send(.cancel(id)) }
  }

  package var hasNext: Bool { buffer.hasNext }

  package var wireBytes: Int { buffer.wireBytes }

  package func next() async throws(NetworkError) -> [UInt8]? {
    if Task.isCancelled {
      inbox.send(.cancel(id))
      throw .cancelled(buffer.address)
    }
    let (result, hasRoom) = buffer.take()
    if hasRoom { inbox.send(.resume(id)) }
    if let result { return try result.get() }
    return try await waited().get()
  }

  /// Waits for the loop; as with a start, a cancellation may come before the waiting has begun.
  private func waited() async -> Result<[UInt8]?, NetworkError> {
    let (id, inbox) = (self.id, self.inbox)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if buffer.wait(continuation) { inbox.send(.resume(id)) }
        if Task.isCancelled { inbox.send(.cancel(id)) }
      }
    } onCancel: {
      inbox.send(.cancel(id))
    }
  }
}
