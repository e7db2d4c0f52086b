import Testing

@testable import SQLiteCache

struct TransactionLengthTests {
  private static let range = Limits.documentImagesPerTransaction

  @Test func `is as long as it may be until a transaction is slow`() {
    var length = TransactionLength(Limits.documentImagesPerTransaction)
    #expect(length.rows == Self.range.upperBound)

    length.note(Limits.transactionWriting)
    #expect(length.rows == Self.range.upperBound)

    length.note(Limits.transactionWriting + .nanoseconds(1))
    #expect(length.rows == Self.range.upperBound / 2)
  }

  @Test func `never becomes shorter than its least, however slow all are`() {
    var length = TransactionLength(Limits.documentImagesPerTransaction)
    for _ in 0..<10 { length.note(.seconds(60)) }

    #expect(length.rows == Self.range.lowerBound)
  }

  @Test func `becomes longer again only while transactions take less than half of their time`() {
    var length = TransactionLength(Limits.documentImagesPerTransaction)
    for _ in 0..<10 { length.note(.seconds(60)) }

    length.note(Limits.transactionWriting / 2)
    #expect(length.rows == Self.range.lowerBound)

    length.note(Limits.transactionWriting / 2 - .nanoseconds(1))
    #expect(length.rows == 2 * Self.range.lowerBound)

    for _ in 0..<10 { length.note(.zero) }
    #expect(length.rows == Self.range.upperBound)
  }
}
