import Testing
import Workers

@testable import Sync

struct ConcurrentlyTests {
  private struct Odd: Error, Equatable {
    var number: Int
  }

  @Test func `outcomes are in the order of the elements`() async {
    let door = Door()

    let outcomes = await [0, 1].mapConcurrently { number in
      if number == 0 { await door.passed() } else { door.open() }
      return number * 2
    }

    #expect(outcomes == [0, 2])
  }

  @Test func `all end before the first failure in that order is thrown`() async {
    let ended = Locked(0)

    await #expect(throws: Odd(number: 1)) {
      try await [0, 1, 2, 3].mapConcurrently { (number) throws(Odd) in
        ended.withLock { $0 += 1 }
        if number % 2 == 1 { throw Odd(number: number) }
        return number
      }
    }

    #expect(ended.withLock { $0 } == 4)
  }
}
