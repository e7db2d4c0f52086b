import CXML2
import Models
import Workers

/// What the XML parser reports to: an object, because C can keep the address of nothing else.
///
/// All it has is in one value, so that each event is one access to it.
final class XMLReader {
  private var walk: XMLWalk

  init(source: FeedSource) { walk = XMLWalk(source: source) }

  /// Why reading has to end; nil while it can go on.
  var failure: FeedError? { walk.failure }

  /// The images that are complete.
  func takeImages() -> [FeedImage] { walk.takeImages() }

  /// What the document as a whole is.
  ///
  /// - Throws: when not one element could be read.
  func document() throws(FeedError) -> FeedDocument { try walk.document() }

  /// Takes note of something wrong with the document.
  func warn(_ warning: String) { walk.warnings.add(warning) }

  func start(
    local: UnsafePointer<xmlChar>?,
    prefix: UnsafePointer<xmlChar>?,
    address: UnsafePointer<xmlChar>?,
    attributes: XMLAttributes
  ) {
    walk.start(local: local, prefix: prefix, address: address, attributes: attributes)
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) { walk.characters(bytes) }

  func end(local: UnsafePointer<xmlChar>?) { walk.end(local: local) }

  func complaint(_ message: String, strayEnd end: String?) {
    walk.complaint(message, strayEnd: end)
  }

  /// Takes note of an end that comes too early, or too late.
  func endsOddly() {
    let isOpen = walk.isOpen
    warn(isOpen ? "the document is cut off" : "something follows the end of the document")
  }

  func declares(rootName: String) { walk.declares(rootName: rootName) }

  func closeAll() { walk.closeAll() }
}
