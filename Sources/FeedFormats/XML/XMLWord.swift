/// The element names that some format understands, without their prefixes.
///
/// A name is looked up once a document, so that readers switch over a byte and not over strings.
enum XMLWord: String, CaseIterable {
  case author
  case body
  case channel
  case content
  case copyright
  case created
  case creator
  case credit
  case date
  case description
  case enclosure
  case encoded
  case entry
  case feed
  case group
  case guid
  case head
  case id
  case image
  case issued
  case item
  case license
  case link
  case modified
  case name
  case opml
  case outline
  case pubDate = "pubdate"
  case published
  case rdf
  case rights
  case rss
  case source
  case summary
  case thumbnail
  case title
  case updated
  case url
  case other = ""

  /// The word of an element's local name; some feeds vary the case.
  init(localName: String) { self = XMLWord(rawValue: localName.lowercased()) ?? .other }
}
