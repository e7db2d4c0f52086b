import Models
import Workers

/// A format whose documents are JSON: told of a document's parts, it makes images.
///
/// To add a format, write its reader and add it to `JSONFormats`.
protocol JSONFormat: AnyObject, SendableMetatype {
  /// Whether a document is of the format, by the members known before its first array, or by all
  /// of them when it has none; `element` is the first element of that array, `key` the array's.
  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool

  init(source: FeedSource)

  /// The images that are complete; the reader takes them and empties the list.
  var images: [FeedImage] { get set }

  /// Takes a member of the document, or of an object in it that was too large to be read whole.
  func member(_ key: String, _ value: JSONValue, depth: Int)

  /// Takes an element of an array.
  func element(_ value: JSONValue, of key: String, depth: Int)

  /// Takes note of an array without elements.
  func emptyArray(of key: String)

  /// Takes note that an element of an array begins whose members come one by one.
  func opening(of key: String)

  /// Takes the whole document, when it is one small object.
  func whole(_ value: JSONValue)

  /// What the document as a whole is; `isSound` when all of it could be read.
  ///
  /// - Throws: when it turned out to be no feed.
  func document(isSound: Bool) throws(FeedError) -> FeedDocument
}

extension JSONFormat {
  func emptyArray(of key: String) {}

  func opening(of key: String) {}

  /// Takes first what the document says of itself, then its arrays.
  func whole(_ value: JSONValue) {
    for member in value.members {
      if case .array = member.value { continue }
      self.member(member.key, member.value, depth: 1)
    }
    for member in value.members {
      for element in member.value.elements { self.element(element, of: member.key, depth: 2) }
    }
  }
}
