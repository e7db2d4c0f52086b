import TestSupport
import Testing
import Workers

@testable import Sync

struct BoundedChannelTests {
  private let channel = BoundedChannel<Int>(capacity: 2)

  @Test func `gives what was sent, in order, and then the end`() async {
    let channel = channel
    let sending = Task {
      for number in 0..<100 { await channel.send(number) }
      channel.finish()
    }
    var received: [Int] = []
    while let number = await channel.next() { received.append(number) }
    await sending.value

    #expect(received == Array(0..<100))
  }

  @Test func `holds a sender up that is as far ahead as it may be`() async {
    let channel = channel
    let sent = TestSupport.Tally()
    let sending = Task {
      for number in 0..<3 {
        await channel.send(number)
        sent.add()
      }
    }
    await sent.reaches(1)
    #expect(sent.count == 1)

    #expect(await channel.next() == 0)
    await sent.reaches(2)
    #expect(await channel.next() == 1)
    #expect(await channel.next() == 2)
    await sending.value
    #expect(sent.count == 3)
  }

  @Test func `lets a sender go on whose values no receiver takes any more`() async {
    let channel = channel
    let sending = Task { for number in 0..<100 { await channel.send(number) } }
    #expect(await channel.next() == 0)
    channel.close()
    await sending.value
  }

  @Test func `ends for a receiver that waits`() async {
    let channel = channel
    async let received = channel.next()
    channel.finish()

    #expect(await received == nil)
    #expect(await channel.next() == nil)
  }
}
