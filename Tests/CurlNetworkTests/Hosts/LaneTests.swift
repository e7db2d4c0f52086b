import Testing

@testable import CurlNetwork

struct LaneTests {
  @Test func `gives back what came first, also when it is long`() {
    var lane = Lane<Int>()
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
