import Testing
import Workers

/// The leaves of a library's tree of hashes.
struct LibraryTreeTests {
  @Test func `leaves cover all ids, and no leaf has too many`() {
    let ids = Array(1...Int64(5 * LibraryTree.imagesPerLeaf))

    let leaves = LibraryTree.leaves(of: ids[...])

    #expect(leaves.flatMap { Array($0.ids) } == ids)
    #expect(leaves.allSatisfy { $0.ids.count <= LibraryTree.imagesPerLeaf })
    #expect(leaves.first?.range.lowerBound == 0)
    #expect(leaves.last?.range.upperBound == LibraryTree.highestID)
    for (leaf, next) in zip(leaves, leaves.dropFirst()) {
      #expect(leaf.range.upperBound + 1 == next.range.lowerBound)
    }
  }

  /// Such ids come from a damaged library, or from another program.
  @Test(arguments: [
    [Int64](repeating: 7, count: 3_000), Array(repeating: 7, count: 2_999) + [8],
    Array(-3_000...0), Array(-1_500...1_500), Array((Int64.max - 3_000)...Int64.max),
    [.min] + Array(repeating: 7, count: 3_000) + [.max],
  ])
  func `images of one id, or of an impossible one, end nothing`(ids: [Int64]) {
    let leaves = LibraryTree.leaves(of: ids[...])

    #expect(leaves.flatMap { Array($0.ids) } == ids)
  }
}
