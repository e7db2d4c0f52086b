import Models
import Workers

/// Transfers whose answers one reader takes, by number.
final class TransferGroup: FetchGroup {
  let answer: FetchAnswer
  private let inbox: LoopInbox
  private let isCancelled = Locked(false)

  init(inbox: LoopInbox, answer: @escaping FetchAnswer) {
    self.inbox = inbox
    self.answer = answer
  }

  func ask(_ requests: [(number: Int, request: NetworkRequest)]) {
    let orders = requests.indices.compactMap { index in
      order(requests[index].number, for: requests[index].request)
    }
    if !post(orders) {
      for order in orders { order.receiver.fail(.cancelled(order.request.address)) }
    }
  }

  /// What the loop is to be told; nil for a file, which is answered at once.
  private func order(_ number: Int, for request: NetworkRequest) -> TransferOrder? {
    if request.address.isOnDisk {
      answerFromDisk(number, request)
      return nil
    }
    let receiver = TransferReceiver.numbered(number, of: self)
    return TransferOrder(id: inbox.makeID(), request: request, receiver: receiver)
  }

  /// Says whether the loop will answer.
  ///
  /// Under the lock, so that no order comes behind the cancellation.
  private func post(_ orders: [TransferOrder]) -> Bool {
    isCancelled.withLock { isCancelled in
      !isCancelled && inbox.send(contentsOf: orders.map(LoopMessage.start))
    }
  }

  private func answerFromDisk(_ number: Int, _ request: NetworkRequest) {
    do throws(NetworkError) {
      answer(number, .success(try FileReader(request).reply()))
    } catch {
      answer(number, .failure(error))
    }
  }

  func cancel() {
    isCancelled.withLock { isCancelled in
      isCancelled = true
      inbox.send(.cancelGroup(self))
    }
  }
}
