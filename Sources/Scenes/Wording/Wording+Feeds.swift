import Models
import Workers

extension Wording {
  /// What stands over the columns of a list of feeds.
  package static let feedHeadings = ["ID", "TITLE", "ADDRESS", "IMAGES", "SYNCED", "STATUS", ""]

  /// What is damaged of a feed's stored pictures; nil when nothing is.
  static func damage(of feed: Feed) -> String? {
    guard feed.damagedCount > 0 else { return nil }
    let pictures = count(feed.damagedCount, "stored picture")
    return "\(pictures) damaged — 'gallery verify --repair' repairs what can be fetched again"
  }

  /// What must be put back into a list of feeds before it can be followed; nil when nothing must.
  static func maskedAddresses(of feeds: [Feed]) -> String? {
    let number = feeds.count { $0.address.masked != $0.address.text }
    guard number > 0 else { return nil }
    return "the secrets in \(count(number, "address", plural: "addresses")) are masked"
      + " — put them back before the list is used"
  }

  /// What a feed is called from now on, in a line.
  static func naming(_ feed: Feed) -> String {
    let address = quoted(feed.address.masked)
    guard let title = feed.title else { return "\(address) has no title" }
    return feed.givenTitle == nil
      ? "\(address) has its own title again: \(quoted(title))"
      : "\(address) is called \(quoted(title)) from now on"
  }

  /// What removing a feed did, in a line.
  static func removal(_ response: ListFeeds.RemoveFeed.Response) -> String {
    let removed = response.removed
    let name = quoted(removed.feed.title ?? removed.feed.address.masked)
    if removed.feed.isList {
      let feeds = count(removed.feed.listedFeedCount, "feed")
      return "removed the list \(name): it is no longer asked for — its \(feeds) stay as they are"
    }
    if response.wasPurged {
      let originals = removed.originals > 0 ? " and \(count(removed.originals, "original"))" : ""
      return "removed \(name): \(count(removed.images, "image"))\(originals) deleted"
    }
    let pronoun = removed.images == 1 ? "it" : "them"
    return "removed \(name): \(count(removed.images, "image")) hidden"
      + " — syncing its address again brings \(pronoun) back"
  }
}
