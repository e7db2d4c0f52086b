import Foundation
import Models
import Workers

extension WebAddress {
  static let feed = address("https://feeds.example/moon")
  static let otherFeed = address("https://feeds.example/sun")

  /// The address in a text of the test, which must be valid.
  static func address(_ text: String) -> WebAddress {
    guard let address = WebAddress(text) else { preconditionFailure(text) }
    return address
  }

  static func picture(_ name: String) -> WebAddress { address("https://a.bc/" + name) }
}

extension Date {
  static let first = Date(timeIntervalSince1970: 1_700_000_000)
  static let second = Date(timeIntervalSince1970: 1_700_003_600)
}

extension FeedEntry {
  /// An entry of one image, named by the end of its original's address.
  static func sample(
    _ name: String,
    id: String? = nil,
    title: String? = nil,
    caption: String? = nil,
    thumbnail: String? = nil,
    published: Date? = nil,
    page: String? = nil
  ) -> FeedEntry {
    let image = FeedImage(
      title: title,
      caption: caption,
      published: published,
      pageAddress: page.map { .address($0) },
      thumbnailAddress: thumbnail.map(WebAddress.picture),
      originalAddress: .picture(name)
    )
    return FeedEntry(id: id, images: [image])
  }

  /// An entry of several images.
  static func sample(id: String, _ images: FeedEntry...) -> FeedEntry {
    FeedEntry(id: id, images: images.flatMap(\.images))
  }
}

extension FetchedThumbnail {
  static func sample(_ order: WantedPicture, bytes: [UInt8] = [1, 2, 3]) -> FetchedThumbnail {
    FetchedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: Validators(entityTag: "\"t\""),
      info: PictureInfo(format: .jpeg, bytes: bytes.count, width: 320, height: 200),
      bytes: bytes,
      fetched: .first,
      checkDate: .second
    )
  }
}

extension PictureInfo {
  /// The facts about the bytes of `FetchedThumbnail.sample`, with the hash that sha256sum prints.
  static let sample = PictureInfo(
    format: .jpeg,
    bytes: 3,
    width: 320,
    height: 200,
    hash: SHA256Digest(
      hexadecimal: "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"
    )
  )
}

extension CleaningPlan {
  static let rehearsal = CleaningPlan(isRehearsal: true)
  static let now = CleaningPlan(isImmediate: true)
}

extension PictureFilter {
  static let missing = PictureFilter(now: .first)
  static let all = PictureFilter(now: .first, all: true)
}

extension OriginalReceipt {
  /// A receipt of an original whose server sent a validator.
  static func sample(
    _ info: PictureInfo,
    from name: String,
    arrived: Date = .first
  ) -> OriginalReceipt {
    OriginalReceipt(
      info: info,
      address: .picture(name),
      validators: Validators(entityTag: "\"a\"", lastModified: "Sun"),
      arrived: arrived,
      checkDate: .second
    )
  }
}
