import Foundation
import Models
import Sync
import Workers

/// A library, and what tests do with it.
protocol TestedLibrary: AnyObject {
  var store: any SyncStoring { get }
}

extension TestedLibrary {
  /// Syncs one document, an entry at a time, and returns the counts.
  @discardableResult
  func sync(
    _ entries: [FeedEntry],
    to address: WebAddress = .feed,
    title: String? = "Moon",
    listsEverything: Bool = false,
    flaws: [DocumentFlaw] = [],
    repeated: [String] = [],
    validators: Validators = Validators(),
    answer: FeedAnswer? = nil,
    now: Date = .first
  ) async throws -> ImageCounts {
    let writer = store.writer(forFeedAt: address, now: now)
    for entry in entries { try await writer.append([entry]) }
    var document = FeedDocument(
      format: .rss,
      title: title,
      flaws: flaws,
      listsEverything: listsEverything
    )
    document.repeated = repeated
    let answer = answer ?? FeedAnswer(validators: validators)
    return try await writer.finish(document, answer: answer, isWhole: true).counts
  }

  /// Stores an original of an image.
  func storeOriginal(_ bytes: [UInt8], imageID: Int64, from name: String) async throws {
    let file = try await store.openOriginalFile(imageID: imageID)
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append(bytes)
    let info = PictureInfo(format: .png, bytes: bytes.count, width: 1, height: 1)
    _ = try await file.commit(.sample(info, from: name))
  }

  func images(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [WebImage] {
    try await store.images(matching: query)
  }

  /// The ids and original addresses, in the order of the query.
  func listing(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [String] {
    try await images(query).map { "\($0.id) \($0.originalAddress.text.dropFirst(13))" }
  }

  func names(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [String] {
    try await images(query).map { String($0.originalAddress.text.dropFirst(13)) }
  }
}
