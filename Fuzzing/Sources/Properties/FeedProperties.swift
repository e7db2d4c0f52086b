import Foundation
import Models
import Workers

/// What holds for everything that is read from a feed, whatever the feed.
struct FeedProperties {
  let source: FeedSource
  /// How many bytes of document there were.
  let count: Int

  func check(_ result: FeedResult) {
    guard let document = result.document else { return }
    checkCounts(result.images.count, document)
    check(line: document.title, "the feed's title")
    require(
      !document.listsEverything || document.warnings.isEmpty,
      "a document with a warning lists everything"
    )
    for address in addresses(of: document.continuation) { check(address, "what follows") }
    var earlier: FeedImage?
    for image in result.images {
      check(image)
      checkPlace(of: image, after: earlier)
      earlier = image
    }
  }

  /// Naming an image takes some bytes.
  private func checkCounts(_ images: Int, _ document: FeedDocument) {
    require(images <= 64 + count / 2, "\(images) images in \(count) bytes")
    require(document.warnings.count <= 40, "\(document.warnings.count) warnings")
    let addresses = addresses(of: document.continuation).count
    require(addresses <= 10_000, "\(addresses) documents to follow")
  }

  private func check(_ image: FeedImage) {
    check(image.originalAddress, "an original")
    check(image.thumbnailAddress, "a thumbnail")
    check(image.pageAddress, "a page")
    require(
      image.thumbnailAddress != image.originalAddress,
      "a thumbnail is the original: \(image.originalAddress.text)"
    )
    check(line: image.title, "a title")
    check(line: image.author, "an author")
    require((image.caption?.utf8.count ?? 0) <= 16 << 10, "a long caption")
    require(image.caption?.first != " " && image.caption?.last != " ", "space around a caption")
    require((image.entryID?.utf8.count ?? 0) <= 4 << 10, "a long id")
    require((image.width ?? 1) > 0 && (image.height ?? 1) > 0, "a size of nothing")
    let seconds = image.published?.timeIntervalSince1970 ?? 0
    require(abs(seconds) < 1e12, "a date \(seconds) seconds away")
  }

  /// Only what can be asked for may be named, and no address may be without bounds.
  private func check(_ address: WebAddress?, _ what: String) {
    guard let address else { return }
    let isReachable = address.isWeb || address.isFile && source.address.isFile
    require(isReachable, "\(what) at \(address.text)")
    require(address.text.utf8.count <= 32 << 10, "\(what) at a long address")
    let hasSpace = address.text.unicodeScalars.contains { $0.value <= 0x20 }
    require(!hasSpace, "\(what) at an address with white space: \(address.text)")
  }

  private func check(line: String?, _ what: String) {
    guard let line else { return }
    let breaks = line.unicodeScalars.contains {
      $0.value < 0x20 || [0x7F, 0x85, 0x2028, 0x2029].contains($0.value)
    }
    require(!breaks, "\(what) is more than a line: \(line.debugDescription)")
    require(!line.isEmpty, "\(what) is empty")
    require(line.first != " " && line.last != " ", "\(what) has space around it")
    require(line.utf8.count <= 2048, "\(what) is long")
  }

  /// Places count from 0 within an entry.
  private func checkPlace(of image: FeedImage, after earlier: FeedImage?) {
    if image.placeInEntry == 0 { return }
    requireEqual(image.placeInEntry, (earlier?.placeInEntry ?? -1) + 1, "places within an entry")
    requireEqual(image.entryID, earlier?.entryID, "the entry of an image")
  }

  private func addresses(of continuation: FeedContinuation) -> [WebAddress] {
    switch continuation {
    case .none: []
    case .nextPage(let address): [address]
    case .members(let addresses), .feeds(let addresses): addresses
    }
  }
}
