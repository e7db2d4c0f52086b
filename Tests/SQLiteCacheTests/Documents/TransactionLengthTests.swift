import Models
import Testing
import Workers

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

  // MARK: Texts

  private static func image(_ number: Int64, captionBytes: Int = 100) -> NewImage {
    let caption = String(repeating: "x", count: captionBytes)
    let image = FeedImage(caption: caption, originalAddress: .picture("\(number)"))
    return NewImage(
      image: DocumentImage(image),
      entryID: nil,
      isAmbiguous: false,
      position: number,
      positionBefore: nil
    )
  }

  private static let bytes = image(1).image.fields.textBytes

  /// A change of an image whose new text is as long as the stored one.
  private static func update(_ id: Int64) -> ImageChange {
    let image = image(id).image
    let stored = StoredImage(
      id: id,
      position: id,
      firstSeen: 0,
      isGone: false,
      isAmbiguous: false,
      isUnasked: false,
      hasThumbnail: false,
      hasOriginal: false,
      entryID: nil,
      originalHash: image.originalHash,
      fields: image.fields
    )
    return .update(stored, image, PictureEffect(from: image.fields, to: image.fields))
  }

  @Test(arguments: [
    (5, [5]), (4, [4, 1]), (2, [2, 2, 1]), (1, [1, 1, 1, 1, 1]), (0, [1, 1, 1, 1, 1]),
  ])
  func `divides new images by the bytes of their texts, in their order`(
    images: Int,
    lengths: [Int]
  ) {
    var batch = DocumentBatch()
    batch.imagesBefore = 7
    batch.added = (1...5).map { Self.image($0) }

    let parts = batch.parts(ofTextBytes: images * Self.bytes)
    #expect(parts.map(\.added.count) == lengths)
    #expect(parts.flatMap(\.added).map(\.position) == [1, 2, 3, 4, 5])
    #expect(parts.allSatisfy { $0.changes.isEmpty && $0.imagesBefore == 7 })
  }

  @Test func `divides changes before new images, and counts former and new texts of the changes`() {
    var batch = DocumentBatch()
    batch.changes = [.move(1, to: 2), Self.update(3), .wake(4), Self.update(5), .wake(6)]
    batch.added = [Self.image(7), Self.image(8), Self.image(9)]

    let parts = batch.parts(ofTextBytes: 3 * Self.bytes)
    #expect(parts.map(\.changes.count) == [3, 2, 0])
    #expect(parts.map(\.added.count) == [0, 1, 2])
  }

  @Test func `has one part without an image, and for changes without texts`() {
    #expect(DocumentBatch().parts(ofTextBytes: 0).map(\.isEmpty) == [true])
    var batch = DocumentBatch()
    batch.changes = [.move(1, to: 2), .wake(2)]
    #expect(batch.parts(ofTextBytes: 0).map(\.changes.count) == [2])
  }
}
