import ArgumentParser
import FoundationEssentials
package import Models
package import Workers

/// The options in a feed's table of the configuration file.
package struct FeedOptions: ParsableArguments {
  @Flag(help: "Fetch every original of the feed with each sync.")
  var originals = false

  @OptionGroup var change: FeedChangeOptions

  @Option(help: "Request fields for the feed's host, a line each.", completion: .file())
  var headersFile: String?

  @Option(help: "Cookies for the feed's host, in the form of Netscape.", completion: .file())
  var cookiesFile: String?

  @Option(
    name: .customLong("extra-ca"),
    help: "A PEM file of certificate authorities that are trusted for the feed, too.",
    completion: .file()
  )
  var extraCA: String?

  @Option(help: "Receive at most this much a second.", transform: RateArgument.bytes)
  var limitRate: SizeArgument?

  @Option(help: "Ask the feed's host at most this often.", transform: RateArgument.requests)
  var requestsPerSecond: Double?

  package init() {}

  /// The list of these options, for checks.
  static let list = (try? CommandCatalog.options(ofArguments: Data(_dumpHelp().utf8))) ?? []
}

/// A feed in the user's configuration file: `[feed."https://example.com/photos.xml"]`.
package struct UserFeed: Sendable {
  /// The feed's address, id or title.
  package let name: String
  let options: FeedOptions

  /// Reads the feeds of the file, whose names and kinds of values must have been checked.
  ///
  /// - Throws: `ValidationError` for a value that cannot be used.
  package static func all(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> [UserFeed] {
    let path = ConfigurationFile.path(in: environment) ?? ""
    do {
      guard let file = try ConfigurationFile.ofUser(in: environment) else { return [] }
      return try file.feedNames.map { try file.feed($0, home: environment["HOME"]) }
    } catch let mistake as ConfigurationMistake {
      throw ValidationError(mistake.text(path: path))
    }
  }

  /// The fields and cookies of its requests; nil without any.
  ///
  /// - Throws: `ValidationError` when a file cannot be used.
  func fields() throws -> OriginFields? {
    guard options.headersFile != nil || options.cookiesFile != nil else { return nil }
    return OriginFields(
      for: try address,
      try options.headersFile.map { try SecretFile(path: $0).fields() } ?? [],
      cookies: try options.cookiesFile.map { try SecretFile(path: $0).cookies() } ?? []
    )
  }

  /// The limits for its host in bytes and requests per second; nil without any.
  ///
  /// - Throws: `ValidationError` when the host is not known.
  func rates() throws -> (address: WebAddress, bytes: Int?, requests: Double?)? {
    guard options.limitRate != nil || options.requestsPerSecond != nil else { return nil }
    return (try address, options.limitRate?.bytes, options.requestsPerSecond)
  }

  /// The certificate authorities that are trusted for it, beside those of all feeds; nil without any.
  ///
  /// A file that cannot be used makes only the feed fail.
  ///
  /// - Throws: `ValidationError` when the address of the feed is not known.
  func authorities() throws -> FeedAuthorities? {
    guard let path = options.extraCA else { return nil }
    let address = try address
    do throws(CertificateFile.Problem) {
      return FeedAuthorities(for: address, .success(try CertificateFile(path: path).certificates))
    } catch {
      let message = "the certificates of '\(path)' cannot be used: \(error.message)"
      return FeedAuthorities(for: address, .failure(.init(message)))
    }
  }

  private var address: WebAddress {
    get throws {
      if let address = argument.address { return address }
      throw ValidationError(
        "feed '\(name)': fields, cookies, certificates and bounds for its host need its address as the table's "
          + "name"
      )
    }
  }

  var argument: FeedArgument {
    FeedArgument(
      name,
      relativeTo: "/",
      isFolder: FeedArgument.isFolder,
      fileExists: FileManager.default.fileExists
    )
  }
}

extension FeedArgument {
  /// The web address of the argument, or the one that it probably means.
  fileprivate var address: WebAddress? {
    switch self {
    case .address(let address) where address.isWeb: address
    case .name(let name): name.web
    default: nil
    }
  }
}

extension ConfigurationFile {
  /// The tables of feeds by name.
  var feedTables: [String: FileValue] { values["feed"]?.table ?? [:] }

  /// The values in these tables: keys, text, and whether the option takes a text instead of being a flag.
  package var feedValues: [(key: [String], text: String, isText: Bool)] {
    let tables = feedTables.values.flatMap { Array(($0.table ?? [:]).values) }
    return tables.compactMap { value in
      switch value.content {
      case .text(let text): (value.key, text, true)
      case .flag(let flag): (value.key, String(flag), false)
      case .list, .table: nil
      }
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// The names of the feeds that have a table.
  package var feedNames: [String] { feedTables.keys.sorted() }

  /// Reads the table of a feed.
  ///
  /// - Throws: `ValidationError` for a value that its option does not accept.
  package func feed(_ name: String, home: String?) throws -> UserFeed {
    let table = feedTables[name]?.table ?? [:]
    let words = table.sorted { $0.key < $1.key }.flatMap { key, value in
      let isPath = FeedOptions.list.first { $0.name == key }?.isPath ?? false
      return word(key, value.content, isPath: isPath, home: home)
    }
    let options: FeedOptions
    do {
      options = try FeedOptions.parse(words)
    } catch {
      throw ValidationError("feed '\(name)': \(FeedOptions.message(for: error))")
    }
    let feed = UserFeed(name: name, options: options)
    if case .mistyped(let address) = feed.argument {
      let meant = address.suggestion
      throw ValidationError("feed '\(address.beginning)…': did you mean '\(meant)'?")
    }
    return feed
  }

  private func word(
    _ key: String,
    _ content: FileValue.Content,
    isPath: Bool,
    home: String?
  ) -> [String] {
    switch content {
    case .flag(let flag): flag ? ["--\(key)"] : []
    case .text(let text): ["--\(key)=\(isPath ? resolved(text, home: home) : text)"]
    case .list, .table: []
    }
  }
}

/// The settings of feeds in the user's configuration file, with the limits of transfers.
package struct FeedSettings: Sendable {
  /// The request fields for some origins.
  package var fields: [OriginFields] = []
  /// The most bytes of bodies per second for all transfers together; nil for no limit.
  package var bytesPerSecond: Int?
  /// The most requests per second to each host; nil for no limit.
  package var requestsPerSecond: Double?
  /// The same limits for the hosts of some addresses.
  package var hostRates: [(address: WebAddress, bytes: Int?, requests: Double?)] = []
  /// The certificate authorities for some feeds.
  package var authorities: [FeedAuthorities] = []
  package var feeds: [ConfiguredFeed] = []

  package init() {}

  /// Reads the user's configuration file, and the files that it names.
  ///
  /// - Throws: `ValidationError` for a value that cannot be used.
  package static func ofUser() throws -> FeedSettings {
    var settings = FeedSettings()
    for feed in try UserFeed.all() { try settings.add(feed) }
    return settings
  }

  /// Adds the settings in a feed's table.
  ///
  /// - Throws: `ValidationError` for a value that cannot be used.
  package mutating func add(_ feed: UserFeed) throws {
    if let fields = try feed.fields() { self.fields.append(fields) }
    if let rates = try feed.rates() { hostRates.append(rates) }
    if let authorities = try feed.authorities() { self.authorities.append(authorities) }
    feeds.append(
      ConfiguredFeed(
        feed: feed.argument,
        change: feed.options.change.change,
        fetchesOriginals: feed.options.originals
      )
    )
  }
}
