import Models
import TestSupport
import Workers

extension WebAddress {
  static let feed = sample("feed")

  static func sample(_ path: String) -> WebAddress {
    guard let address = WebAddress("https://example.org/\(path)") else {
      preconditionFailure("no address with the path \(path)")
    }
    return address
  }

  static func page(_ name: String) -> WebAddress { sample("page/\(name)") }

  static func thumbnail(_ name: String) -> WebAddress { sample("small/\(name).jpg") }

  static func original(_ name: String) -> WebAddress { sample("large/\(name).jpg") }
}

extension FeedImage {
  init(named name: String) {
    self.init(thumbnailAddress: .thumbnail(name), originalAddress: .original(name))
  }
}

extension FeedEntry {
  /// An entry of one image, or of several images with slashes between their names.
  init(named name: String) {
    self.init(id: name, images: name.split(separator: "/").map { FeedImage(named: String($0)) })
  }
}

extension StoredOriginal {
  static let sampleSHA256 = String(repeating: "00ff", count: 16)

  static func sample(
    imageID: Int64,
    info: PictureInfo = .jpegSample,
    sha256: String = sampleSHA256,
    isStale: Bool = false,
    address: WebAddress? = nil,
    validators: Validators = Validators()
  ) -> StoredOriginal {
    StoredOriginal(
      path: "/originals/\(imageID)",
      sha256: sha256,
      info: info,
      isStale: isStale,
      address: address,
      validators: validators
    )
  }
}

extension PictureInfo {
  /// The facts about `PictureBytes.jpeg`.
  static let jpegSample = PictureInfo(
    format: .jpeg,
    bytes: PictureBytes.jpeg.count,
    width: 640,
    height: 480
  )
}

extension SyncPlan {
  /// Fetches only the document of the one feed.
  static let documentOnly = SyncPlan(feeds: [.feed], fetchesThumbnails: false)
  /// Fetches everything of the one feed.
  static let everything = SyncPlan(feeds: [.feed], fetchesOriginals: true)
}

extension NetworkError {
  init(_ reason: Reason, at address: WebAddress) {
    self.init(reason: reason, address: address, message: "as the test wants")
  }
}

extension FaultyLibrary {
  /// Stores a feed and images of it, by name.
  func keep(_ feed: Feed, images names: [String]) {
    keep(feed, entries: names.map(FeedEntry.init), now: SyncBench.now)
  }

  /// Stores a feed and images of it, whose entries have the names of their originals.
  func keep(_ feed: Feed, images: [FeedImage]) {
    let entries = images.map { image in
      let file = image.originalAddress.text.split(separator: "/").last ?? ""
      return FeedEntry(id: String(file.prefix { $0 != "." }), images: [image])
    }
    keep(feed, entries: entries, now: SyncBench.now)
  }

  /// The stored thumbnails that are unchanged, in the order of the transactions.
  var keptThumbnails: [UnchangedPicture] {
    events.flatMap { event -> [UnchangedPicture] in
      if case .keptThumbnails(let thumbnails) = event { thumbnails } else { [] }
    }
  }

  /// The images of each transaction that stored thumbnails.
  var thumbnailBatches: [[Int64]] {
    events.compactMap { if case .storedThumbnails(let ids) = $0 { ids } else { nil } }
  }
}
