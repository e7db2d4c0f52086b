import Testing
import Workers

@testable import CurlNetwork

struct HostQueueTests {
  @Test func `keeps the order of a host and lets hosts take turns`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...3 { queue.append(TransferID(id), of: "a") }
    for id in 4...5 { queue.append(TransferID(id), of: "b") }

    #expect(drained(&queue) == [1, 4, 2, 5, 3])
  }

  @Test func `starts what comes first before what has waited for longer`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...2 { queue.append(TransferID(id), of: "a") }
    for id in 3...4 { queue.append(TransferID(id), of: "a", comesFirst: true) }

    #expect(drained(&queue) == [3, 4, 1, 2])
  }

  @Test func `starts six of a host, and the next when one is over`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...8 { queue.append(TransferID(id), of: "a") }

    let first = drained(&queue)
    queue.ended(of: "a")

    #expect(first == [1, 2, 3, 4, 5, 6])
    #expect(drained(&queue) == [7])
  }

  @Test func `leaves a connection of a host to its other feeds, and lets feeds take turns`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...8 { queue.append(TransferID(id), of: "a", feed: 1) }
    for id in 11...12 { queue.append(TransferID(id), of: "a", feed: 2) }

    #expect(drained(&queue) == [1, 11, 2, 12, 3, 4])
    queue.ended(of: "a", feed: 2)
    queue.ended(of: "a", feed: 2)
    #expect(drained(&queue) == [5, 6])
  }

  @Test func `a feed whose transfers never end holds up no other of its host for long`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...100 { queue.append(TransferID(id), of: "a", feed: 1) }
    #expect(drained(&queue).count == 6)
    for id in 101...103 { queue.append(TransferID(id), of: "a", feed: 2) }

    queue.ended(of: "a", feed: 1)
    #expect(drained(&queue) == [101])
    queue.ended(of: "a", feed: 2)
    #expect(drained(&queue) == [102])
    queue.ended(of: "a", feed: 2)
    #expect(drained(&queue) == [103])
  }

  @Test func `starts as many as HTTP/2 has streams once a host speaks it`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...70 { queue.append(TransferID(id), of: "a") }

    let first = drained(&queue)
    queue.speaksHTTP2("a")

    #expect(first.count == 6)
    #expect(drained(&queue).count == 58)
  }

  @Test func `starts no more in all than the limit`() {
    var queue = HostQueue(limits: ConnectionLimits(jobs: 2))
    for id in 1...4 { queue.append(TransferID(id), of: "host\(id)") }

    let first = drained(&queue)
    queue.ended(of: "host2")

    #expect(first == [1, 2])
    #expect(drained(&queue) == [3])
  }

  @Test func `passes over what is no longer wanted`() {
    var queue = HostQueue(limits: ConnectionLimits(jobs: 1))
    for id in 1...3 { queue.append(TransferID(id), of: "a") }

    #expect(queue.next(at: .start, verdict: { _ in .open }, isWanted: { $0 == 3 }) == .start(3))
  }

  @Test func `counts fewer than one job as one`() {
    let limits = ConnectionLimits(jobs: 0)

    #expect(limits.transfers == 1)
    #expect(limits.connectionsPerHost == 1)
    #expect(limits.streamsPerHost == 1)
  }

  @Test func `lets a paused host wait and the others go on`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...2 { queue.append(TransferID(id), of: "paused") }
    queue.append(3, of: "open")
    let end = MonotonicInstant.start + .seconds(2)
    let verdict = { (host: String) in host == "paused" ? HostVerdict.wait(until: end) : .open }

    #expect(drained(&queue, verdict: verdict) == [3])
    #expect(queue.nextAlarm == end)
    #expect(drained(&queue, at: end + .nanoseconds(-1)) == [])
    #expect(drained(&queue, at: end) == [1, 2])
    #expect(queue.nextAlarm == nil)
  }

  @Test func `asks a paused host's verdict again when its pause should be over`() {
    var queue = HostQueue(limits: ConnectionLimits())
    queue.append(1, of: "a")
    let first = MonotonicInstant.start + .seconds(2)
    let second = first + .seconds(3)

    _ = drained(&queue) { _ in .wait(until: first) }
    #expect(drained(&queue, at: first) { _ in .wait(until: second) } == [])
    #expect(queue.nextAlarm == second)
    #expect(drained(&queue, at: second) == [1])
  }

  @Test func `starts what is tried again after its delay, and before what was never tried`() {
    var queue = HostQueue(limits: ConnectionLimits(jobs: 1))
    let end = MonotonicInstant.start + .seconds(1)
    queue.append(9, of: "a", notBefore: end)
    for id in 1...2 { queue.append(TransferID(id), of: "a") }

    #expect(drained(&queue) == [1])
    #expect(queue.nextAlarm == end)
    queue.ended(of: "a")
    #expect(drained(&queue, at: end) == [9])
  }

  @Test func `starts no more of a busy host until its verdict has changed`() {
    var queue = HostQueue(limits: ConnectionLimits())
    queue.append(1, of: "a")

    #expect(drained(&queue) { _ in .busy } == [])
    #expect(drained(&queue) == [])
    queue.verdictChanged(on: "a")
    #expect(drained(&queue) == [1])
  }

  @Test func `gives back all transfers of a closed host, those that wait for a retry too`() {
    var queue = HostQueue(limits: ConnectionLimits(jobs: 1))
    let refusal = HostRefusal(reason: .unreachable, message: "down")
    queue.append(8, of: "a", notBefore: .start + .seconds(9))
    for id in 1...3 { queue.append(TransferID(id), of: "a") }
    queue.append(4, of: "b", notBefore: .start + .seconds(9))

    let turn = queue.next(
      at: .start,
      verdict: { _ in .closed(refusal) },
      isWanted: { $0 != 2 }
    )

    #expect(turn == .refuse([1, 3, 8], refusal))
    #expect(drained(&queue, at: .start + .seconds(9)) == [4])
  }

  @Test func `gives back a closed host's transfers while as many as may are at work`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...7 { queue.append(TransferID(id), of: "a") }
    #expect(drained(&queue).count == 6)
    let refusal = HostRefusal(reason: .unreachable, message: "down")

    queue.verdictChanged(on: "a")

    #expect(
      queue.next(at: .start, verdict: { _ in .closed(refusal) }, isWanted: { _ in true })
        == .refuse([7], refusal)
    )
  }

  /// Starts transfers until the queue offers no more, and returns their ids.
  private func drained(
    _ queue: inout HostQueue,
    at time: MonotonicInstant = .start,
    verdict: (String) -> HostVerdict = { _ in .open }
  ) -> [TransferID] {
    var ids: [TransferID] = []
    while case .start(let id)? = queue.next(at: time, verdict: verdict, isWanted: { _ in true }) {
      ids.append(id)
    }
    return ids
  }
}

struct TimerQueueTests {
  @Test func `gives what is due, the soonest first and the same times in order`() {
    var line = TimerQueue<Int>()
    for (element, seconds) in [(1, 5), (2, 3), (3, 5), (4, 9), (5, 3)] {
      line.append(element, at: .start + .seconds(seconds))
    }

    #expect(line.next == .start + .seconds(3))
    var due: [Int] = []
    while let element = line.popDue(at: .start + .seconds(5)) { due.append(element) }

    #expect(due == [2, 5, 1, 3])
    #expect(line.next == .start + .seconds(9))
  }

  @Test func `takes out what fits`() {
    var line = TimerQueue<Int>()
    for number in 1...5 { line.append(number, at: .start + .seconds(number)) }

    #expect(line.remove { $0.isMultiple(of: 2) } == [2, 4])
    #expect(line.remove { $0 > 9 } == [])
    #expect(line.popDue(at: .start + .seconds(9)) == 1)
    #expect(line.popDue(at: .start + .seconds(9)) == 3)
  }
}

struct FIFOQueueTests {
  @Test func `gives back what came first, also when it is long`() {
    var lane = FIFOQueue<Int>()
    var taken: [Int] = []
    for number in 0..<500 {
      lane.append(number)
      if number.isMultiple(of: 3) { taken += [lane.popFirst()].compactMap(\.self) }
    }
    while let number = lane.popFirst() { taken.append(number) }

    #expect(taken == Array(0..<500))
    #expect(lane.isEmpty)
  }
}
