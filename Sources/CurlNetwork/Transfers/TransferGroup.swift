import Models
import Synchronization
import Workers

/// Numbered transfers whose answers go to one reader.
///
/// The group posts some of its transfers to the loop at a time, and more with each answer. So connections are not idle
/// while the reader is busy. It stops posting while the answers that wait for the reader have too many bytes. All
/// groups share this limit, so that several feeds at once need no more memory than one.
final class TransferGroup: FetchGroup {
  private struct State: Sendable {
    var isCancelled = false
    /// Transfers that are not posted yet.
    var waiting = FIFOQueue<PostedTransfer>()
    /// Files that are not read yet.
    var files = FIFOQueue<NumberedRequest>()
    /// The number of transfers that are posted and not answered.
    var underWay = 0
    /// Bytes of bodies that the reader was given and has not taken yet.
    var untakenBytes = 0

    /// Takes the transfers to post now; after a cancellation, all of them.
    mutating func next(limit: Int) -> [PostedTransfer] {
      let room = isCancelled ? Int.max : TransferLimits.groupUnderWay - underWay
      let isKept = untakenBytes >= limit || room < TransferLimits.groupRefill
      guard isCancelled || !isKept else { return [] }
      var transfers: [PostedTransfer] = []
      while transfers.count < room, let transfer = waiting.popFirst() { transfers.append(transfer) }
      underWay += transfers.count
      return transfers
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
    let isOnDisk = requests.indices.filter { requests[$0].request.address.isFile }
    // By index, because copying a request is expensive.
    let transfers = requests.indices.compactMap { transfer(for: requests[$0]) }
    goOn { state in
      for transfer in transfers { state.waiting.append(transfer) }
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

  /// Passes an answer on to the reader.
  func pass(_ number: Int, _ result: Result<NetworkReply, NetworkError>) {
    let bytes = if case .success(let reply) = result { reply.body.count } else { 0 }
    goOn { state in
      state.underWay -= 1
      state.untakenBytes += bytes
    }
    answer(number, result)
  }

  /// The transfer for a request; nil for a file, which the loop does not read.
  private func transfer(for numbered: borrowing NumberedRequest) -> PostedTransfer? {
    if numbered.request.address.isFile { return nil }
    let receiver = TransferReceiver.numbered(numbered.number, of: self)
    return PostedTransfer(id: inbox.makeID(), request: numbered.request, receiver: receiver)
  }

  /// The number of bytes that may wait for this reader.
  private var untakenLimit: Int {
    TransferLimits.untakenBytes / max(1, inbox.groups.load(ordering: .relaxed))
  }

  /// Changes the state, then posts the transfers that may begin.
  ///
  /// Posting happens under the lock, so that no transfer is posted after the cancellation. Transfers that cannot be
  /// posted are cancelled.
  private func goOn(after change: (inout State) -> Void) {
    let refused = state.withLock { state -> [PostedTransfer] in
      change(&state)
      let transfers = state.next(limit: untakenLimit)
      if transfers.isEmpty { return [] }
      if !state.isCancelled, inbox.send(contentsOf: transfers.map(LoopMessage.start)) { return [] }
      state.isCancelled = true
      return transfers + state.next(limit: 0)
    }
    for transfer in refused { transfer.receiver.fail(.cancelled(transfer.request.address)) }
  }

  /// Reads files while the reader keeps up; reads in the reader's task, because disks are slow.
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
