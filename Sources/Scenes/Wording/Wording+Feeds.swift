import Models
import Workers

extension Wording {
  /// What removing a feed did, in a line.
  static func removal(_ response: ListFeeds.RemoveFeed.Response) -> String {
    let removed = response.removed
    let name = quoted(removed.feed.title ?? removed.feed.address.masked)
    if response.wasPurged {
      let originals = removed.originals > 0 ? " and \(count(removed.originals, "original"))" : ""
      return "removed \(name): \(count(removed.images, "image"))\(originals) deleted"
    }
    let pronoun = removed.images == 1 ? "it" : "them"
    return "removed \(name): \(count(removed.images, "image")) hidden"
      + " — syncing its address again brings \(pronoun) back"
  }
}
