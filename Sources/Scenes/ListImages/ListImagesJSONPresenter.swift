import Models

/// A display for scripts.
package protocol ListImagesRecordDisplayLogic: RecordDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel)
}

/// Makes records for scripts.
package struct ListImagesJSONPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesRecordDisplayLogic

  package init(display: any ListImagesRecordDisplayLogic) { self.display = display }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    display.displayFetchedImages(viewModel: .init(records: records(of: response.images.span)))
  }

  /// Takes a span, which lends each image, where an array would copy it.
  private func records(of images: Span<WebImage>) -> [ImageRecord] {
    var records: [ImageRecord] = []
    records.reserveCapacity(images.count)
    for index in images.indices { records.append(ImageRecord(images[index])) }
    return records
  }

  /// Presents nothing: scripts get no pictures.
  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {}

  /// Presents nothing: the end of the records says it.
  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {}

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

/// An image in a list for scripts: raw values, without the address of its original.
///
/// It is a type of its own, and no `Record`, because a list can have a million of them.
package struct ImageRecord: Equatable, Sendable {
  package struct Feed: Equatable, Sendable {
    package var id: Int64
    package var title: String?
  }

  package struct Thumbnail: Equatable, Sendable {
    package var url: String?
    package var stored: Bool
    package var bytes: Int?
    package var type: String?
    package var width: Int?
    package var height: Int?
    package var damaged = false
  }

  package var id: Int64
  package var title: String?
  package var caption: String?
  package var author: String?
  package var published: String?
  package var feed: Feed
  package var thumbnail: Thumbnail
  package var originalStored: Bool
  package var originalDamaged = false
  package var gone: Bool
  package var failures: [Record] = []

  /// An image of which nothing is known.
  package static let blank = ImageRecord(
    id: 0,
    feed: Feed(id: 0),
    thumbnail: Thumbnail(stored: false),
    originalStored: false,
    gone: false
  )
}

extension ImageRecord {
  init(_ image: borrowing WebImage) {
    self.init(
      id: image.id,
      title: image.title,
      caption: image.caption,
      author: image.author,
      published: image.published.map(Wording.timestamp),
      feed: Feed(id: image.feed.id, title: image.feed.title),
      thumbnail: Thumbnail(image),
      originalStored: image.original.isStored,
      originalDamaged: image.isOriginalDamaged,
      gone: image.isGone,
      failures: image.failures.map { Record($0) }
    )
  }
}

extension ImageRecord.Thumbnail {
  fileprivate init(_ image: borrowing WebImage) {
    self.init(
      url: image.thumbnailAddress?.masked,
      stored: image.thumbnail != nil,
      bytes: image.thumbnail?.bytes,
      type: image.thumbnail?.format.mediaType,
      width: image.thumbnail?.width,
      height: image.thumbnail?.height,
      damaged: image.isThumbnailDamaged
    )
  }
}
