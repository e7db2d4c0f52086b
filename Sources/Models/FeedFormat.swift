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
  /// Atom (RFC 4287).
  case atom
}
