import Testing
import Workers

@testable import Sync

@Suite(.timeLimit(.minutes(60)))
struct ArrivalLineTests {
  private let line = ArrivalLine<Int>()

  @Test func `gives all that is there, in order`() async {
    line.put(1)
    line.put(2)
    let first = await line.next()
    line.put(3)

    #expect(first == [1, 2])
    #expect(await line.next() == [3])
  }

  @Test func `gives each of many once, whenever it comes`() async {
    let count = 10_000
    let line = line
    async let done: Void = withTaskGroup(of: Void.self) { group in
      for start in 0..<4 {
        group.addTask { for number in stride(from: start, to: count, by: 4) { line.put(number) } }
      }
    }
    var arrived: [Int] = []
    while arrived.count < count { arrived += await line.next() }
    await done

    #expect(arrived.sorted() == Array(0..<count))
    for start in 0..<4 {
      let ofOne = arrived.filter { $0 % 4 == start }
      #expect(ofOne == ofOne.sorted())
    }
  }
}
