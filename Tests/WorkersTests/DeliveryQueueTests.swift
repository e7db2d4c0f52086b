import FoundationEssentials
import Testing
import Workers

struct DeliveryQueueTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `asks at once, and once for all that is told meanwhile`() {
    var queue = DeliveryQueue()
    for id in [7, 3, 7, 7] as [Int64] { queue.note(id) }

    #expect(queue.pause(at: now) == 0)
    #expect(queue.take(at: now) == [3, 7])
    #expect(queue.pause(at: now) == nil)
    #expect(queue.take(at: now) == [])
  }

  @Test func `asks one feed no more than once in a minute, and another at once`() {
    var queue = DeliveryQueue()
    queue.note(7)
    _ = queue.take(at: now)
    queue.note(7)

    #expect(queue.pause(at: now + 10) == 50)
    #expect(queue.take(at: now + 59) == [])
    queue.note(3)
    #expect(queue.pause(at: now + 59) == 0)
    #expect(queue.take(at: now + 59) == [3])
    #expect(queue.take(at: now + 60) == [7])
  }

  @Test func `a clock that is set back holds up nothing for long`() {
    var queue = DeliveryQueue()
    queue.note(7)
    _ = queue.take(at: now)
    queue.note(7)

    #expect(queue.take(at: now - 3_600) == [7])
  }
}
