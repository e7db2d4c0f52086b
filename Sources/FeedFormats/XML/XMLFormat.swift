import Models
import Workers

/// A format whose documents are XML: told of elements as they open and close, it makes images.
///
/// To add a format, write its reader and add it to `XMLFormats`.
protocol XMLFormat: SendableMetatype {
  /// Whether a document with this root is of the format.
  static func reads(root: XMLName) -> Bool

  init(source: FeedSource)

  /// The images that are complete; the reader takes them and empties the list.
  var images: [FeedImage] { get set }

  /// Whether an element of this name begins an entry, so that whatever is open has no end tag.
  static func beginsEntry(_ name: XMLName) -> Bool

  /// Takes an element's start.
  mutating func open(_ element: XMLElement) throws(FeedError) -> XMLContent

  /// Takes the end of an element and the text in it, of the kind asked for when it was opened.
  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText)

  /// What the document as a whole is.
  ///
  /// - Throws: when it turned out to be no feed.
  func document() throws(FeedError) -> FeedDocument
}
