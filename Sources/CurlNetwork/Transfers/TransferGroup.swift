import Models
import Synchronization
import Workers

/// Transfers whose answers one reader takes, by number.
///
/// The loop has some of what is asked at a time, and comes here for more with each answer, so that no
/// connection is idle while the reader has other things to do. The rest waits here; also for the reader, once
/// the answers that it has not taken are many bytes. How many, all groups share: several feeds at once take no
/// more memory than one.
final class TransferGroup: FetchGroup {
  private struct State: Sendable {
    var isCancelled = false
    /// What the loop has not been told of.
    var waiting = Lane<TransferOrder>()
    /// What nobody has read yet.
    var files = Lane<NumberedRequest>()
    /// How many the loop has been told of and has not answered.
    var underWay = 0
    /// Bytes of bodies that the reader has been given and has not taken.
    var untakenBytes = 0

    /// What the loop may begin now; all of it where it will only be refused.
    mutating func next(limit: Int) -> [TransferOrder] {
      let room = isCancelled ? Int.max : TransferLimits.groupUnderWay - underWay
      let isKept = untakenBytes >= limit || room < TransferLimits.groupRefill
      guard isCancelled || !isKept else { return [] }
      var orders: [TransferOrder] = []
      while orders.count < room, let order = waiting.popFirst() { orders.append(order) }
      underWay += orders.count
      return orders
    }
  }

  private let answer: FetchAnswer
  private let inbox: LoopInbox
  private let state = Locked(State())

  init(inbox: LoopInbox, answer: @escaping FetchAnswer) {
    self.inbox = inbox
    self.answer = answer
    inbox.groups.add(1, ordering: .relaxed)
  }

  deinit { inbox.groups.subtract(1, ordering: .relaxed) }

  func ask(_ requests: [NumberedRequest]) {
    let isOnDisk = requests.indices.filter { requests[$0].request.address.isOnDisk }
    // Looked at in their places, since each has many parts to copy.
    let orders = requests.indices.compactMap { order(for: requests[$0]) }
    goOn { state in
      for order in orders { state.waiting.append(order) }
      for index in isOnDisk { state.files.append(requests[index]) }
    }
    readFiles()
  }

  func took(bytes: Int) {
    goOn { $0.untakenBytes -= bytes }
    readFiles()
  }

  func cancel() {
    goOn { state in
      state.isCancelled = true
      inbox.send(.cancelGroup(self))
    }
    readFiles()
  }

  /// Passes an answer of the loop's on.
  func pass(_ number: Int, _ result: Result<NetworkReply, NetworkError>) {
    let bytes = if case .success(let reply) = result { reply.body.count } else { 0 }
    goOn { state in
      state.underWay -= 1
      state.untakenBytes += bytes
    }
    answer(number, result)
  }

  /// What the loop is to be told; nil for a file, which is none of its business.
  private func order(for numbered: borrowing NumberedRequest) -> TransferOrder? {
    if numbered.request.address.isOnDisk { return nil }
    let receiver = TransferReceiver.numbered(numbered.number, of: self)
    return TransferOrder(id: inbox.makeID(), request: numbered.request, receiver: receiver)
  }

  /// Bytes that may wait for this reader.
  private var untakenLimit: Int {
    TransferLimits.untakenBytes / max(1, inbox.groups.load(ordering: .relaxed))
  }

  /// Tells the loop what it may begin after a change; what it is not told any more is cancelled.
  ///
  /// Under the lock, so that no order comes behind the cancellation.
  private func goOn(after change: (inout State) -> Void) {
    let refused = state.withLock { state -> [TransferOrder] in
      change(&state)
      let orders = state.next(limit: untakenLimit)
      if orders.isEmpty { return [] }
      if !state.isCancelled, inbox.send(contentsOf: orders.map(LoopMessage.start)) { return [] }
      state.isCancelled = true
      return orders + state.next(limit: 0)
    }
    for order in refused { order.receiver.fail(.cancelled(order.request.address)) }
  }

  /// Reads files for as long as the reader keeps up; in its own time, since disks are waited for.
  private func readFiles() {
    while let (file, isCancelled) = nextFile() { pass(file.number, reply(to: file, isCancelled)) }
  }

  private func nextFile() -> (file: NumberedRequest, isCancelled: Bool)? {
    state.withLock { state in
      guard state.isCancelled || state.untakenBytes < untakenLimit,
        let file = state.files.popFirst()
      else { return nil }
      state.underWay += 1
      return (file, state.isCancelled)
    }
  }

  private func reply(
    to file: NumberedRequest,
    _ isCancelled: Bool
  ) -> Result<NetworkReply, NetworkError> {
    if isCancelled { return .failure(.cancelled(file.request.address)) }
    return Result { () throws(NetworkError) in try FileReader(file.request).reply() }
  }
}
