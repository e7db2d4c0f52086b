import Testing

@testable import CurlNetwork

struct AlarmLineTests {
  @Test func `gives what is due, the soonest first and the same times in order`() {
    var line = AlarmLine<Int>()
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
    var line = AlarmLine<Int>()
    for number in 1...5 { line.append(number, at: .start + .seconds(number)) }

    #expect(line.remove { $0.isMultiple(of: 2) } == [2, 4])
    #expect(line.remove { $0 > 9 } == [])
    #expect(line.popDue(at: .start + .seconds(9)) == 1)
    #expect(line.popDue(at: .start + .seconds(9)) == 3)
  }
}
