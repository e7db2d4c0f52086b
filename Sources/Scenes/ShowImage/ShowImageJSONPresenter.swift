package import Models
import Workers

/// Makes records for scripts.
package final class ShowImageJSONPresenter: ShowImagePresentationLogic {
  private let display: any RecordDisplayLogic
  private let tellsPlaces: Bool
  private var pace = ProgressPace()

  /// - Parameters:
  ///   - display: The display of the records.
  ///   - tellsPlaces: Whether they say where pictures were taken, which is not for everyone.
  package init(display: any RecordDisplayLogic, tellsPlaces: Bool = false) {
    self.display = display
    self.tellsPlaces = tellsPlaces
  }

  package func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {
    let thumbnail = response.thumbnail
    let record: Record = [
      "event": "thumbnail",
      "id": .integer(response.image.id),
      "title": .text(response.image.title),
      "type": .text(thumbnail.format.mediaType),
      "bytes": .number(thumbnail.bytes),
      "width": .number(thumbnail.width),
      "height": .number(thumbnail.height),
    ]
    display.displayRecords(viewModel: .init(record, outcome: response.outcome))
  }

  package func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    let (received, total) = (response.received, response.total)
    guard response.wait == nil, pace.admits(received: received, total: total) else { return }
    let record: Record = [
      "event": "progress", "id": .integer(response.imageID), "received": .number(received),
      "total": .number(total),
    ]
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  /// Presents nothing: scripts get no pictures.
  package func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {}

  package func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    pace = ProgressPace()
    let original = response.fetched.original
    var record: Record = [
      "event": "original",
      "id": .integer(response.image.id),
      "file": .text(original.path),
      "bytes": .number(original.info.bytes),
      "sha256": .text(original.sha256),
      "type": .text(original.info.format.mediaType),
      "width": .number(original.info.width),
      "height": .number(original.info.height),
      "downloaded": .flag(response.fetched.wasDownloaded),
      "resumedFrom": .number(response.fetched.resumedFrom),
      "damaged": .flag(original.isDamaged),
    ]
    record.add(newer: response.newer)
    display.displayRecords(viewModel: .init(record))
  }

  package func presentUnavailableOriginal(
    response: ShowImage.FetchOriginal.Unavailable.Response
  ) {
    pace = ProgressPace()
    let record: Record = [
      "event": "unavailable",
      "id": .integer(response.image.id),
      "reason": .text(Wording.reason(response)),
      "detail": .text(response.failure.libraryWords),
    ]
    display.displayRecords(viewModel: .init(record, outcome: nil))
    display.displayFailure(viewModel: .init(response))
  }

  package func presentDescribedImage(response: ShowImage.DescribeImage.Response) {
    display.displayRecords(viewModel: .init(Record(response, tellsPlaces: tellsPlaces)))
  }

  package func presentExplainedImage(response: ShowImage.ExplainImage.Response) {
    display.displayRecords(viewModel: .init(Record(response)))
  }

  package func presentFetchedNewer(response: ShowImage.FetchNewer.Response) {
    var record: Record = ["event": "newer", "id": .integer(response.image.id)]
    if case .file(let path) = response.newer.source { record.add("file", .text(path)) }
    record.add(newer: [response.newer])
    display.displayRecords(viewModel: .init(record))
  }

  /// Presents only the facts, because JSON cannot contain bytes.
  package func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {
    display.displayRecords(viewModel: .init(Record(response.thumbnail)))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

/// Limits progress to steps of a hundredth of the total, or of 64 KiB if that is more.
struct ProgressPace {
  private static let leastStep = 64 << 10
  private var presented = 0

  mutating func admits(received: Int, total: Int?) -> Bool {
    let step = max(Self.leastStep, (total ?? 0) / 100)
    // A transfer that starts over has received less than before.
    guard received - presented >= step || received < presented else { return false }
    presented = received
    return true
  }
}

extension Record {
  init(_ response: ShowImage.DescribeImage.Response, tellsPlaces: Bool) {
    let image = response.image
    self = [
      "id": .integer(image.id),
      "feed": .record(Record(image.feed)),
      "title": .text(image.title),
      "caption": .text(image.caption),
      "author": .text(image.author),
      "licence": .text(image.licence),
      "published": .text(image.published.map(Wording.timestamp)),
      "pageURL": .text(image.pageAddress?.masked),
      "thumbnailURL": .text(image.thumbnailAddress?.masked),
      "originalURL": .text(image.originalAddress.masked),
      "width": .number(image.width),
      "height": .number(image.height),
      "thumbnailStored": .flag(image.thumbnail != nil),
      "originalStored": .flag(image.original.isStored),
      "thumbnailDamaged": .flag(image.isThumbnailDamaged),
      "originalDamaged": .flag(image.isOriginalDamaged),
      "gone": .flag(image.isGone),
      "pinned": .flag(image.isPinned),
      "failures": .records(image.failures.map { Record($0) }),
      "feedURL": .text(image.feed.address.masked),
      "firstSeen": .text(Wording.timestamp(image.firstSeen)),
      "thumbnail": .record(image.thumbnail.map { Record($0) }),
      "original": .record(response.original.map { Record($0, of: image) }),
      "manifest": .record(image.manifest.map { Record($0) }),
    ]
    if image.feed.address.isFolder { add("feedFormat", .text(FeedFormat.folder.rawValue)) }
    if let gallery = image.feed.gallery { add("galleryURL", .text(gallery.masked)) }
    if let details = response.details, !details.isEmpty {
      add("details", .record(Record(details, tellsPlaces: tellsPlaces)))
    }
    add(newer: response.newer)
  }

  private init(_ details: PictureDetails, tellsPlaces: Bool) {
    self = [
      "camera": .text(details.camera),
      "lens": .text(details.lens),
      "exposure": details.exposure.map { .real(Double($0) / 1e9) } ?? .integer(nil),
      "aperture": details.aperture.map { .real(Double($0) / 100) } ?? .integer(nil),
      "iso": .integer(details.sensitivity),
      "focalLength": details.focalLength.map { .real(Double($0) / 100) } ?? .integer(nil),
      "taken": .text(details.taken.map(Wording.timestamp)),
    ]
    guard tellsPlaces else { return }
    let place = details.place.map { place -> Record in
      [
        "latitude": .real(Double(place.latitude) / 1e6),
        "longitude": .real(Double(place.longitude) / 1e6),
      ]
    }
    add("place", .record(place))
  }

  fileprivate init(_ response: ShowImage.ExplainImage.Response) {
    let (image, storage) = (response.image, response.storage)
    let feed = storage.feed
    self = [
      "id": .integer(image.id),
      "feed": .record(Record(image.feed)),
      "feedStatus": .text(feed.status?.rawValue),
      "lastSync": .text(feed.lastSync.map(Wording.timestamp)),
      "nextSync": .text(feed.nextSync.map(Wording.timestamp)),
      "feedPaused": .flag(feed.isPaused),
      "gone": .flag(image.isGone),
      "thumbnailStored": .text(storage.thumbnailStored.map(Wording.timestamp)),
      "thumbnailMade": .flag(storage.isThumbnailMade),
      "thumbnailCheck": .text(storage.thumbnailCheck.map(Wording.timestamp)),
      "originalStored": .text(storage.originalStored.map(Wording.timestamp)),
      "originalCheck": .text(storage.originalCheck.map(Wording.timestamp)),
      "originalUsed": .text(storage.originalUsed.map(Wording.timestamp)),
      "originalPut": .flag(storage.isPut),
      "originalAway": .flag(storage.isAway),
      "originalsBefore": .number(storage.originalsBefore),
      "pinned": .flag(image.isPinned),
      "keep": .number(storage.bounds.keep),
      "keepFree": .number(storage.bounds.keepFree),
      "originalBytes": .number(storage.originalBytes),
      "failures": .records(image.failures.map { Record($0) }),
      "pausedHosts": .records(response.pauses.map { Record($0) }),
    ]
    addPush(of: feed)
    add(newer: response.newer)
  }

  /// Adds the newer pictures beside the stored ones, if there are any.
  fileprivate mutating func add(newer: [Successor]) {
    if newer.isEmpty { return }
    let records = newer.map { successor -> Record in
      [
        "kind": .text(successor.kind == .original ? "original" : "thumbnail"),
        "url": .text(successor.address.masked),
        "arrived": .text(Wording.timestamp(successor.arrived)),
        "sha256": .text(successor.sha256),
        "bytes": .number(successor.info.bytes),
        "type": .text(successor.info.format.mediaType),
        "width": .number(successor.info.width),
        "height": .number(successor.info.height),
        "reasons": .text(successor.doubts.map(\.rawValue).joined(separator: " ")),
      ]
    }
    add("newer", .records(records))
  }

  fileprivate init(_ info: PictureInfo) {
    self = [
      "bytes": .number(info.bytes),
      "type": .text(info.format.mediaType),
      "width": .number(info.width),
      "height": .number(info.height),
      "sha256": .text(info.hash?.hexadecimal),
    ]
  }

  /// A stale original is stored, but its feed names another one now.
  private init(_ original: StoredOriginal, of image: WebImage) {
    self = [
      "file": .text(original.path),
      "sha256": .text(original.sha256),
      "bytes": .number(original.info.bytes),
      "type": .text(original.info.format.mediaType),
      "width": .number(original.info.width),
      "height": .number(original.info.height),
      "stale": .flag(image.original == .stale),
    ]
  }

  package init(_ manifest: Manifest) {
    self = [
      "title": .text(manifest.label),
      "pageURL": .text(manifest.pageAddress?.masked),
      "attribution": .text(manifest.attribution),
      "rights": .text(manifest.rights),
      "metadata": .records(
        manifest.details.map { ["label": .text($0.label), "value": .text($0.value)] }
      ),
    ]
  }
}
