import Models
import Workers

/// oEmbed in XML (https://oembed.com/, section 2.3.4.2): the description of one picture.
///
/// A photograph has an address; a video has only a thumbnail, which is then the image. oEmbed in
/// JSON is read as a list.
struct OEmbedFormat: XMLFormat {
  static let kind = FeedFormat.Kind.list

  static func reads(root: XMLName) -> Bool { root.word == .oEmbed }

  var entries: [FeedEntry] = []
  private let feed: FeedFacts
  private var entry = Entry()
  private var isPhoto = false
  private var picture = Candidate(reference: "", medium: "image")
  private var thumbnail = Candidate(reference: "", medium: "image")

  init(source: FeedSource) { feed = FeedFacts(of: source) }

  static func beginsEntry(_ name: XMLName) -> Bool { false }

  mutating func open(_ element: XMLElement) -> XMLContent {
    element.parent == .document ? .children : .text
  }

  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText) {
    switch name.word {
    case .oEmbed: closeDescription()
    case .type: isPhoto = text.line == "photo"
    case .title: entry.title = text.line
    case .authorName: entry.author = text.line
    case .webPage: entry.link = text.address
    case .url: picture.reference = text.address ?? ""
    case .width: picture.width = Self.number(text)
    case .height: picture.height = Self.number(text)
    case .thumbnailURL: thumbnail.reference = text.address ?? ""
    case .thumbnailWidth: thumbnail.width = Self.number(text)
    case .thumbnailHeight: thumbnail.height = Self.number(text)
    default: break
    }
  }

  func document() -> FeedDocument { FeedDocument(format: .oEmbed) }

  private static func number(_ text: XMLText) -> Int? {
    text.line.flatMap { DeclaredNumber.read($0) }
  }

  private mutating func closeDescription() {
    if !thumbnail.reference.isEmpty { entry.thumbnails = [thumbnail] }
    if isPhoto {
      entry.units = [MediaUnit(isGroup: true, renditions: [picture])]
      entry.unitPlace = .photo
    }
    entries.append(EntryImages(of: entry, in: feed, relativeTo: .document).found().entry)
  }
}
