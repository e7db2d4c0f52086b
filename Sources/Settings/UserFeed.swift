import ArgumentParser
import Foundation
package import Models
package import Workers

/// What a table of the file says of a feed, besides the options of 'gallery feeds set'.
package struct FeedOptions: ParsableArguments {
  @Flag(help: "Fetch every original of the feed with each sync.")
  package var originals = false

  @Option(help: "Request fields for the feed's host, a line each.", completion: .file())
  var headersFile: String?

  @Option(help: "Cookies for the feed's host, in the form of Netscape.", completion: .file())
  var cookiesFile: String?

  @Option(help: "Receive at most this much a second.", transform: RateArgument.bytes)
  var limitRate: SizeArgument?

  @Option(help: "Ask the feed's host at most this often.", transform: RateArgument.requests)
  var requestsPerSecond: Double?

  package init() {}

  /// Its options, for checks.
  static func list() throws -> [CommandOption] {
    try CommandCatalog.options(ofArguments: Data(_dumpHelp().utf8))
  }
}

/// A feed of the user's file of settings: `[feed."https://example.com/photos.xml"]`.
package struct UserFeed: Sendable {
  /// The feed's address, id or title.
  package let name: String
  package let options: FeedOptions
  /// What 'gallery feeds set' takes of it.
  package let words: [String]

  /// Reads the feeds of the file; the names and the kinds of values must be right.
  ///
  /// - Throws: `ValidationError` for a value that cannot be used.
  package static func all(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> [UserFeed] {
    guard let path = ConfigurationFile.path(in: environment) else { return [] }
    do {
      guard let file = try ConfigurationFile(path: path) else { return [] }
      return try file.feeds(home: environment["HOME"])
    } catch let mistake as ConfigurationMistake {
      throw ValidationError(mistake.text(path: path))
    }
  }

  /// The fields of its requests; nil without any.
  ///
  /// - Throws: `ValidationError` when a file cannot be used.
  package func fields() throws -> OriginFields? {
    guard options.headersFile != nil || options.cookiesFile != nil else { return nil }
    return OriginFields(
      for: try address,
      try options.headersFile.map { try SecretFile(path: $0).fields() } ?? [],
      cookies: try options.cookiesFile.map { try SecretFile(path: $0).cookies() } ?? []
    )
  }

  /// The bounds for its host: bytes and requests a second; nil without any.
  ///
  /// - Throws: `ValidationError` when the host is not known.
  package func rates() throws -> (address: WebAddress, bytes: Int?, requests: Double?)? {
    guard options.limitRate != nil || options.requestsPerSecond != nil else { return nil }
    return (try address, options.limitRate?.bytes, options.requestsPerSecond)
  }

  private var address: WebAddress {
    get throws {
      if let address = argument.address { return address }
      throw ValidationError(
        "feed '\(name)': fields, cookies and bounds for its host need its address as the table's name"
      )
    }
  }

  package var argument: FeedArgument {
    FeedArgument(name, relativeTo: "/", fileExists: FileManager.default.fileExists)
  }
}

extension FeedArgument {
  /// The web address that it is, or that was meant.
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

  /// The values in them: names, text, and whether it is a text and no flag.
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

  fileprivate func feeds(home: String?) throws -> [UserFeed] {
    if feedTables.isEmpty { return [] }
    let options = try FeedOptions.list()
    return try feedTables.sorted { $0.key < $1.key }.map { name, value in
      var (own, others): ([String], [String]) = ([], [])
      for (key, value) in value.table ?? [:] {
        let option = options.first { $0.name == key }
        let word = word(key, value.content, isPath: option?.isPath ?? false, home: home)
        if option == nil { others += word } else { own += word }
      }
      do {
        return UserFeed(name: name, options: try FeedOptions.parse(own), words: others.sorted())
      } catch {
        throw ValidationError("feed '\(name)': \(FeedOptions.message(for: error))")
      }
    }
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
