import ArgumentParser
import Models
import Scenes
import Settings
import Workers

/// What the user's file of settings says of feeds.
struct FeedSettings {
  /// The fields of requests to their hosts.
  var fields: [OriginFields] = []
  /// The bounds of all transfers together, and of those with some hosts.
  var bytesPerSecond: Int?
  var requestsPerSecond: Double?
  var hostRates: [(address: WebAddress, bytes: Int?, requests: Double?)] = []
  var configured: [ConfiguredFeed] = []

  /// Reads the file, and those that it names.
  ///
  /// - Throws: `ValidationError` for what cannot be used.
  static func ofUser() throws -> FeedSettings {
    var settings = FeedSettings()
    for feed in try UserFeed.all() { try settings.add(feed) }
    return settings
  }

  /// Takes what a table says.
  ///
  /// - Throws: `ValidationError` for what cannot be used.
  mutating func add(_ feed: UserFeed) throws {
    if let fields = try feed.fields() { self.fields.append(fields) }
    if let rates = try feed.rates() { hostRates.append(rates) }
    configured.append(
      ConfiguredFeed(
        feed: feed.argument,
        change: try Self.change(feed),
        fetchesOriginals: feed.options.originals
      )
    )
  }

  /// The words of a table are those of the command that changes a feed.
  private static func change(_ feed: UserFeed) throws -> FeedChange {
    guard !feed.words.isEmpty else { return FeedChange() }
    do {
      let command = try GalleryCommand.parseAsRoot(["feeds", "set", feed.name] + feed.words)
      return (command as? FeedsSetCommand)?.request.change ?? FeedChange()
    } catch {
      throw ValidationError("feed '\(feed.name)': \(GalleryCommand.message(for: error))")
    }
  }
}
