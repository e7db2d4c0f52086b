import FoundationEssentials
import Models

/// What one entry of a feed says, as written; the only part of a document that is held whole.
struct Entry {
  var id: String?
  var title: String?
  var mediaTitle: String?
  var mediaCaption: String?
  var summary: String?
  var content: String?
  var author: String?
  var mediaCredit: String?
  var licence: String?
  var rights: String?
  var published: Date?
  var updated: Date?
  /// The web page, and what its address is relative to.
  var link: String?
  var linkBase: WebAddress?
  /// Whether that page is known to be one for people.
  var hasReadablePage = false

  /// `media:content`, alone or in groups.
  var units: [MediaUnit] = []
  /// Enclosures, Atom's `link rel="enclosure"`, JSON Feed's attachments.
  var enclosures: [Candidate] = []
  /// Fields for one picture, the best first: `image`, `banner_image`.
  var fields: [Candidate] = []
  /// Small versions of the picture in the field.
  var smallFields: [Candidate] = []
  /// The HTML that may hold pictures: the whole article, and what sums it up.
  var contentMarkup: EntryMarkup?
  var summaryMarkup: EntryMarkup?
  /// What addresses in the HTML that is being read are relative to.
  var markupBase: WebAddress?
  /// `media:thumbnail` of the entry itself.
  var thumbnails: [Candidate] = []
  var podcastCover: Candidate?

  /// The medium that is being read.
  var openUnit: MediaUnit?
  /// How many addresses the entry has named so far.
  var pictureCount = 0

  /// Takes the date of publication; an unreadable one does not undo what another element said.
  mutating func date(_ date: Date?) {
    if let date { published = date }
  }
}
