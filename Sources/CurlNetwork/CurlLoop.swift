internal import CCurl
import Logging
import Models
import Workers

/// The thread that all transfers live on.
///
/// libcurl asks for one thing above all: never use a handle in two threads at a time. So one
/// thread owns the multi handle, the easy handles and the state of every transfer, and nobody
/// else can reach them. Callers leave messages in the inbox, start, cancel, resume or stop, and
/// the loop goes round: read the inbox, start what may start, let libcurl work, collect what has
/// ended, wait. While it waits it sleeps in libcurl's own poll, which watches the sockets and the
/// inbox's wake-up call at once. A caller wakes it only if it sleeps; under load nobody does.
///
/// Since libcurl calls back from within `perform`, on this thread, the callbacks change a
/// transfer's state without a lock. There are locks at the two places where bytes or messages
/// change hands and nowhere else: the inbox, and the buffer between a streamed transfer and its
/// reader. Both are held for a few instructions, never during a call into libcurl that could
/// wait.
///
/// A transfer is in exactly one of two tables, `waiting` or `running`; it is answered when it
/// leaves them, and only then. So each continuation is resumed once, a cancellation of what has
/// ended finds nothing, and stopping means emptying the tables. libcurl holds running transfers
/// only: order and fairness are the queue's, which can be asked and tested without a socket.
final class CurlLoop {
  /// How long the loop sleeps when nothing at all is due.
  private static let idleMilliseconds: Int32 = 60_000

  private let inbox: LoopInbox
  private let multi: MultiHandle
  private let setup: TransferSetup
  private let logger: Logger?
  private var pool: EasyHandlePool
  private var queue: HostQueue
  private var waiting: [TransferID: Transfer] = [:]
  private var running: [TransferID: Transfer] = [:]
  /// Those of `running` that have a reader.
  private var streams: [TransferID: Transfer] = [:]
  private var isStopped = false

  init(inbox: LoopInbox, setup: TransferSetup, limits: ConnectionLimits, logger: Logger?) {
    self.inbox = inbox
    self.setup = setup
    self.logger = logger
    multi = inbox.loopHandle
    pool = EasyHandlePool(setup: setup)
    queue = HostQueue(limits: limits)
  }

  func run() {
    inbox.drain().forEach(obey)
    while !isStopped {
      goRound()
      inbox.drain().forEach(obey)
    }
    stop()
  }

  private func goRound() {
    startWaiting()
    multi.perform()
    collectFinished()
    flushStreams()
    if !startWaiting(), inbox.prepareToWait() { multi.wait(milliseconds: Self.idleMilliseconds) }
  }

  private func obey(_ message: LoopMessage) {
    switch message {
    case .start(let order): enqueue(order)
    case .cancel(let id): cancel(id)
    case .resume(let id): resume(id)
    case .stop: isStopped = true
    }
  }

  private func enqueue(_ order: TransferOrder) {
    let transfer = Transfer(order)
    waiting[transfer.id] = transfer
    queue.append(transfer.id, of: transfer.host)
  }

  private func cancel(_ id: TransferID) {
    guard let transfer = waiting.removeValue(forKey: id) ?? running[id] else { return }
    release(transfer)
    fail(transfer, .cancelled, message: "cancelled")
  }

  /// libcurl may refuse to go on, and then does not report the transfer itself.
  private func resume(_ id: TransferID) {
    guard let transfer = running[id], let easy = transfer.easy else { return }
    let code = easy.resume()
    if code != CURLE_OK { finish(transfer, code) }
  }

  /// Starts what the limits allow.
  ///
  /// - Returns: whether anything was started.
  @discardableResult
  private func startWaiting() -> Bool {
    var hasStarted = false
    while let id = queue.next(where: { waiting[$0] != nil }) {
      waiting.removeValue(forKey: id).map(start)
      hasStarted = true
    }
    return hasStarted
  }

  private func start(_ transfer: Transfer) {
    running[transfer.id] = transfer
    guard let easy = pool.take() else {
      return giveUp(transfer, .other, "libcurl has no memory for a transfer")
    }
    transfer.easy = easy
    easy.transfer = transfer
    guard setup.apply(transfer.request, streams: transfer.isStreamed, to: easy) else {
      return giveUp(transfer, .refused, "a request field does not fit on one line")
    }
    guard multi.add(easy) else { return giveUp(transfer, .other, "libcurl takes no transfer") }
    if transfer.isStreamed { streams[transfer.id] = transfer }
  }

  private func giveUp(_ transfer: Transfer, _ reason: NetworkError.Reason, _ message: String) {
    release(transfer)
    fail(transfer, reason, message: message)
  }

  private func collectFinished() {
    while let (easy, code) = multi.nextFinished() {
      if let transfer = easy.transfer { finish(transfer, code) }
    }
  }

  private func finish(_ transfer: Transfer, _ code: CURLcode) {
    noteVersion(of: transfer)
    transfer.finish(code)
    log(transfer, code == CURLE_OK ? "" : ", libcurl's code \(code.rawValue)")
    release(transfer)
  }

  private func fail(_ transfer: Transfer, _ reason: NetworkError.Reason, message: String) {
    transfer.fail(reason, message: message)
    log(transfer, ", \(message)")
  }

  /// Takes a transfer out of libcurl's hands and the loop's tables.
  private func release(_ transfer: Transfer) {
    guard running.removeValue(forKey: transfer.id) != nil else { return }
    streams.removeValue(forKey: transfer.id)
    queue.ended(of: transfer.host)
    guard let easy = transfer.easy else { return }
    multi.remove(easy)
    transfer.easy = nil
    pool.giveBack(easy)
  }

  private func flushStreams() {
    for transfer in streams.values {
      noteVersion(of: transfer)
      if transfer.flush() { resume(transfer.id) }
    }
  }

  /// Redirected responses come from another host, of which the queue may know nothing.
  private func noteVersion(of transfer: Transfer) {
    let header = transfer.header
    guard header.isHTTP2, !header.isRedirected else { return }
    queue.speaksHTTP2(transfer.host)
  }

  private func log(_ transfer: Transfer, _ outcome: @autoclosure () -> String) {
    logger?.debug("\(transfer.request.address): status \(transfer.header.status)\(outcome())")
  }

  /// Messages that come too late are refused by the inbox; those it still holds are answered here.
  private func stop() {
    for case .start(let order) in inbox.close() { enqueue(order) }
    Array(waiting.keys).forEach(cancel)
    Array(running.keys).forEach(cancel)
    pool.removeAll()
    multi.close()
  }
}
