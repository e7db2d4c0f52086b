import CXML2
import Models
import Workers

/// What the XML parser reports to: an object, because C can keep the address of nothing else.
///
/// All it has is in one value, at an address of its own: nobody else has it, and libxml2 tells of one event
/// after the other, so that no access to it need be watched.
final class XMLReader {
  private let walk = UnsafeMutablePointer<XMLWalk>.allocate(capacity: 1)

  init(source: FeedSource) { walk.initialize(to: XMLWalk(source: source)) }

  deinit {
    walk.deinitialize(count: 1)
    walk.deallocate()
  }

  /// Why reading has to end; nil while it can go on.
  var failure: FeedError? { walk.pointee.failure }

  /// The images that are complete.
  func takeImages() -> [FeedImage] { walk.pointee.takeImages() }

  /// What the document as a whole is.
  ///
  /// - Throws: when not one element could be read.
  func document() throws(FeedError) -> FeedDocument { try walk.pointee.document() }

  /// Takes note of something wrong with the document.
  func note(_ flaw: DocumentFlaw) { walk.pointee.flaws.add(flaw) }

  func start(
    local: UnsafePointer<xmlChar>?,
    prefix: UnsafePointer<xmlChar>?,
    address: UnsafePointer<xmlChar>?,
    attributes: XMLAttributes
  ) {
    walk.pointee.start(local: local, prefix: prefix, address: address, attributes: attributes)
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) { walk.pointee.characters(bytes) }

  func end(local: UnsafePointer<xmlChar>?) { walk.pointee.end(local: local) }

  func complaint(_ flaw: DocumentFlaw, strayEnd end: String?) {
    walk.pointee.complaint(flaw, strayEnd: end)
  }

  /// Takes note of an end that comes too early, or too late.
  func endsOddly() {
    note(walk.pointee.isOpen ? .cutOff : .followed)
  }

  func declares(rootName: String) { walk.pointee.declares(rootName: rootName) }

  func closeAll() { walk.pointee.closeAll() }
}
