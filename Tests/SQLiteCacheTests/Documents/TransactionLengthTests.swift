import Testing

@testable import SQLiteCache

struct TransactionLengthTests {
  private static let range = Limits.documentImagesPerTransaction

  @Test func `is as long as it may be until a transaction is slow`() {
    var length = TransactionLength()
    #expect(length.images == Self.range.upperBound)

    length.note(Limits.documentWriting)
    #expect(length.images == Self.range.upperBound)

    length.note(Limits.documentWriting + .nanoseconds(1))
    #expect(length.images == Self.range.upperBound / 2)
  }

  @Test func `never becomes shorter than its least, however slow all are`() {
    var length = TransactionLength()
    for _ in 0..<10 { length.note(.seconds(60)) }

    #expect(length.images == Self.range.lowerBound)
  }

  @Test func `becomes longer again only while transactions take less than half of their time`() {
    var length = TransactionLength()
    for _ in 0..<10 { length.note(.seconds(60)) }

    length.note(Limits.documentWriting / 2)
    #expect(length.images == Self.range.lowerBound)

    length.note(Limits.documentWriting / 2 - .nanoseconds(1))
    #expect(length.images == 2 * Self.range.lowerBound)

    for _ in 0..<10 { length.note(.zero) }
    #expect(length.images == Self.range.upperBound)
  }
}
