import Testing

@testable import CurlNetwork

struct HostQueueTests {
  @Test func `keeps the order of a host and lets hosts take turns`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...3 { queue.append(TransferID(id), of: "a") }
    for id in 4...5 { queue.append(TransferID(id), of: "b") }

    #expect(drained(&queue) == [1, 4, 2, 5, 3])
  }

  @Test func `starts six of a host, and the next when one is over`() {
    var queue = HostQueue(limits: ConnectionLimits())
    for id in 1...8 { queue.append(TransferID(id), of: "a") }

    let first = drained(&queue)
    queue.ended(of: "a")

    #expect(first == [1, 2, 3, 4, 5, 6])
    #expect(drained(&queue) == [7])
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

    #expect(queue.next { $0 == 3 } == 3)
  }

  @Test func `counts fewer than one job as one`() {
    let limits = ConnectionLimits(jobs: 0)

    #expect(limits.transfers == 1)
    #expect(limits.connectionsPerHost == 1)
    #expect(limits.streamsPerHost == 1)
  }

  /// All that may start now.
  private func drained(_ queue: inout HostQueue) -> [TransferID] {
    var ids: [TransferID] = []
    while let id = queue.next(where: { _ in true }) { ids.append(id) }
    return ids
  }
}
