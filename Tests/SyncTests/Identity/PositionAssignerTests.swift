import Testing
import Workers

@testable import Sync

struct PositionAssignerTests {
  private let gap = PositionAssigner.gap

  /// Assigns positions batch by batch; reads the positions above from `stored`.
  private func assign(_ batches: [[Int64?]], stored: [Int64] = []) async -> [[Int64]] {
    var assigner = PositionAssigner(lowest: stored.min())
    var positions: [[Int64]] = []
    for batch in batches {
      positions.append(
        await assigner.positions(for: batch) { position in stored.filter { $0 > position }.min() }
      )
    }
    return positions
  }

  @Test func `spreads a first document`() async {
    #expect(await assign([[nil, nil], [nil]]) == [[gap, 2 * gap], [3 * gap]])
  }

  @Test func `leaves known images where they are`() async {
    #expect(await assign([[10, 20], [30]], stored: [10, 20, 30]) == [[10, 20], [30]])
  }

  @Test func `puts new images between known ones`() async {
    #expect(await assign([[10, nil, nil, 40]], stored: [10, 40]) == [[10, 20, 30, 40]])
  }

  @Test func `puts new images above the first known one`() async {
    #expect(await assign([[nil, 0]], stored: [0]) == [[-gap, 0]])
  }

  @Test func `has room for many batches of new images at the top`() async throws {
    let batches = [[Int64?]](repeating: [Int64?](repeating: nil, count: 256), count: 400)
    let positions = await assign(batches + [[0, 1]], stored: [0, 1]).flatMap { $0 }

    #expect(positions.suffix(2) == [0, 1])
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `has room for many batches of new images in the middle`() async throws {
    let batches = [[Int64?]](repeating: [Int64?](repeating: nil, count: 64), count: 100)
    let positions = await assign([[0]] + batches + [[gap]], stored: [0, gap]).flatMap { $0 }

    #expect(positions.first == 0)
    #expect(positions.last == gap)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `moves the one that has changed its position, not the others`() async {
    let positions = await assign([[40, 10, 20, 30]], stored: [10, 20, 30, 40])[0]

    #expect(positions.dropFirst() == [10, 20, 30])
    #expect(positions[0] < 10)
  }

  @Test func `moves what follows where there is no room`() async {
    let positions = await assign([[10, nil, 11, 5000]], stored: [10, 11, 5000])[0]

    #expect(positions[0] == 10)
    #expect(positions[3] == 5000)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// Another gallery may have named any position of an image that is a feed's own now.
  @Test(arguments: [[Int64.min, .max], [.min, .min + 1], [.max - 1, .max], [.max, .min]])
  func `takes positions at the ends of the range`(known: [Int64]) async {
    let batch = [nil, known[0], nil, known[1], nil]

    let positions = await assign([batch, batch], stored: known)

    #expect(positions.map(\.count) == [batch.count, batch.count])
  }

  @Test func `keeps the longest rising run`() {
    #expect(
      RisingRun.longest(in: [5, nil, 1, 2, 9, 3], above: nil)
        == [false, false, true, true, false, true]
    )
    #expect(RisingRun.longest(in: [1, 2, 3], above: 2) == [false, false, true])
  }
}
