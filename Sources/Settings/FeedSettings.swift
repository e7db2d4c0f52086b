import ArgumentParser
package import Models
package import Workers

/// What the user's file of settings says of feeds, and the bounds of transfers.
package struct FeedSettings: Sendable {
  /// The fields of requests to some origins.
  package var fields: [OriginFields] = []
  /// The most bytes of bodies a second over all transfers; nil for no bound.
  package var bytesPerSecond: Int?
  /// The most requests a second to each host; nil for no bound.
  package var requestsPerSecond: Double?
  /// The same bounds for the hosts of some addresses.
  package var hostRates: [(address: WebAddress, bytes: Int?, requests: Double?)] = []
  package var feeds: [ConfiguredFeed] = []

  package init() {}

  /// Reads the file, and those that it names.
  ///
  /// - Throws: `ValidationError` for what cannot be used.
  package static func ofUser() throws -> FeedSettings {
    var settings = FeedSettings()
    for feed in try UserFeed.all() { try settings.add(feed) }
    return settings
  }

  /// Takes what a table says.
  ///
  /// - Throws: `ValidationError` for what cannot be used.
  package mutating func add(_ feed: UserFeed) throws {
    if let fields = try feed.fields() { self.fields.append(fields) }
    if let rates = try feed.rates() { hostRates.append(rates) }
    feeds.append(
      ConfiguredFeed(
        feed: feed.argument,
        change: feed.options.change.change,
        fetchesOriginals: feed.options.originals
      )
    )
  }
}
