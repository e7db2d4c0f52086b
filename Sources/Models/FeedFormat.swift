/// The kind of document a feed turned out to be, recognised by its content.
///
/// The raw value is what `--json` prints and what the store keeps: add cases, never rename one.
package enum FeedFormat: String, Sendable, CaseIterable {
  /// A plain JSON list of images, in an array or anywhere inside an object.
  case json
  /// JSON Feed 1.0 or 1.1 (https://www.jsonfeed.org/version/1.1/).
  case jsonFeed = "jsonfeed"
  /// RSS 2.0 (https://www.rssboard.org/rss-specification).
  case rss
  /// RSS 2.0 whose entries use Media RSS (https://www.rssboard.org/media-rss).
  case mediaRSS = "mediarss"
  /// RSS 1.0 and 0.90, which are RDF (https://web.resource.org/rss/1.0/spec).
  case rdf
  /// Atom (RFC 4287).
  case atom
  /// A manifest or collection of IIIF Presentation 2.1 or 3.0 (https://iiif.io/api/presentation/).
  case iiif
  /// A list of feeds (https://opml.org/spec2.opml): it is followed, and has no images itself.
  case opml
  /// A web page that names its feed (HTML, section 4.6.7.1, `alternate`); no feed itself.
  case html
}
