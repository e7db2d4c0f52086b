import Foundation
import Models
import Workers

/// The properties of the result of reading any feed.
struct FeedProperties {
  let source: FeedSource
  /// The number of bytes in the document.
  let count: Int

  func check(_ result: FeedResult) throws(BrokenProperty) {
    guard let document = result.document else { return }
    try checkCounts(result.entries.imageCount, document)
    try check(line: document.title, "the feed's title")
    let isShort = document.repeated.count <= FeedDocument.mostRepeated
    try require(isShort, "\(document.repeated.count) repeated pictures")
    try require(
      !document.listsEverything || document.isLossless,
      "a document that may have lost something lists everything"
    )
    for address in addresses(of: document.continuation) { try check(address, "what follows") }
    for entry in result.entries {
      let hasPictures = !entry.images.isEmpty || !entry.repeated.isEmpty
      try require(hasPictures, "an entry without images")
      try require((entry.id?.utf8.count ?? 0) <= 4 << 10, "a long id")
      for image in entry.images { try check(image) }
    }
  }

  /// Checks the numbers of images, flaws and further documents; naming an image takes some bytes.
  private func checkCounts(_ images: Int, _ document: FeedDocument) throws(BrokenProperty) {
    try require(images <= 64 + count / 2, "\(images) images in \(count) bytes")
    try require(document.flaws.count <= 40, "\(document.flaws.count) flaws")
    let addresses = addresses(of: document.continuation).count
    try require(addresses <= 10_000, "\(addresses) documents to follow")
  }

  private func check(_ image: FeedImage) throws(BrokenProperty) {
    try check(image.originalAddress, "an original")
    try check(image.thumbnailAddress, "a thumbnail")
    try check(image.pageAddress, "a page")
    try require(
      image.thumbnailAddress != image.originalAddress,
      "a thumbnail is the original: \(image.originalAddress.text)"
    )
    try check(line: image.title, "a title")
    try check(line: image.author, "an author")
    try require((image.caption?.utf8.count ?? 0) <= 16 << 10, "a long caption")
    try require(image.caption?.first != " " && image.caption?.last != " ", "space around a caption")
    try require((image.width ?? 1) > 0 && (image.height ?? 1) > 0, "a size of nothing")
    let seconds = image.published?.timeIntervalSince1970 ?? 0
    try require(abs(seconds) < 1e12, "a date \(seconds) seconds away")
  }

  /// Checks that an address can be requested, and that its length is limited.
  private func check(_ address: WebAddress?, _ what: String) throws(BrokenProperty) {
    guard let address else { return }
    let isReachable = address.isWeb || address.isFile && source.address.isFile
    try require(isReachable, "\(what) at \(address.text)")
    try require(address.text.utf8.count <= 32 << 10, "\(what) at a long address")
    let hasSpace = address.text.unicodeScalars.contains { $0.value <= 0x20 }
    try require(!hasSpace, "\(what) at an address with white space: \(address.text)")
  }

  private func check(line: String?, _ what: String) throws(BrokenProperty) {
    guard let line else { return }
    let breaks = line.unicodeScalars.contains {
      $0.value < 0x20 || [0x7F, 0x85, 0x2028, 0x2029].contains($0.value)
    }
    try require(!breaks, "\(what) is more than a line: \(line.debugDescription)")
    try require(!line.isEmpty, "\(what) is empty")
    try require(line.first != " " && line.last != " ", "\(what) has space around it")
    try require(line.utf8.count <= 2048, "\(what) is long")
  }

  private func addresses(of continuation: FeedContinuation) -> [WebAddress] {
    switch continuation {
    case .none: []
    case .nextPage(let address): [address]
    case .members(let addresses), .feeds(let addresses), .choice(let addresses): addresses
    case .gallery(let gallery): [gallery.base]
    }
  }
}
