import ArgumentParser
import Composition
import FoundationEssentials
import Models
import Scenes
import Settings
import Workers

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make, list and remove the tokens for access to the server.",
    subcommands: [List.self, Add.self, Remove.self],
    defaultSubcommand: List.self
  )

  struct List: AsyncParsableCommand {
    // With an explicit name, because the description of the program takes it only from here.
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the tokens with names.",
      usage: "gallery token list [<options>]"
    )

    @OptionGroup var common: ServerOptions

    func run() async throws {
      let tokens = try common.tokens.named()
      if tokens.isEmpty, !common.quiet {
        ServerService.say(
          """
          no token has a name yet — \(SuggestedCommand.quoted("token add NAME")) makes one; the token that 'gallery serve' prints is in \
          '\(common.tokens.serverPath)'\n
          """
        )
      }
      let areLimited = tokens.contains { $0.feedID != nil }
      let feeds = areLimited ? (try? await common.library.feeds()) ?? [] : []
      for token in tokens {
        let title = feeds.first { $0.id == token.feedID }?.title
        print(common.json ? token.record(title).line : token.text(title))
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a token, and print it; it cannot be printed again.",
      usage: "gallery token add [<options>] <name>"
    )

    @Argument(help: ArgumentHelp("A name to remove it by.", valueName: "name"))
    var name: String

    @Flag(help: "It may change the library, too.")
    var admin = false

    @Option(
      help: ArgumentHelp("Only images of this feed: its id, title or address.", valueName: "feed")
    )
    var feed: String?

    @Option(help: ArgumentHelp("Only images with these words.", valueName: "words"))
    var search: String?

    @Option(
      help: ArgumentHelp(
        "How long it is valid: 12h, 30d, 8w; the default is until it is removed.",
        valueName: "time"
      ),
      transform: TokenLife.parse
    )
    var expires: TokenLife?

    @OptionGroup var common: ServerOptions

    func validate() throws {
      if admin, feed != nil || search != nil {
        throw ValidationError("--admin and a limit to a part of the library exclude each other")
      }
    }

    func run() async throws {
      if let search { try await check(search) }
      let now = Date()
      let token = try common.tokens.add(
        Access(name: name, isAdmin: admin, feedID: try await feedID(), search: search),
        created: now,
        expires: expires.map { now.addingTimeInterval(TimeInterval($0.seconds)) }
      )
      let record: Record = ["name": .text(name), "token": .text(token)]
      print(common.json ? record.line : token)
    }

    /// The id of the only feed that the option names; nil without the option.
    private func feedID() async throws -> Int64? {
      guard let feed else { return nil }
      let argument = FeedArgument(
        feed,
        relativeTo: FileManager.default.currentDirectoryPath,
        isFolder: FeedArgument.isFolder,
        fileExists: FileManager.default.fileExists
      )
      let meant = argument.meant(of: try await feeds())
      guard let first = meant.first else { throw AccessTokens.Problem.unknownFeed(feed) }
      guard meant.count == 1 else {
        throw AccessTokens.Problem.ambiguousFeed(feed, meant.map(\.id))
      }
      return first.id
    }

    /// The feeds of the library; none while there is no library.
    private func feeds() async throws -> [Feed] {
      do throws(StoreError) {
        return try await common.library.feeds()
      } catch {
        if error.reason == .noLibrary { return [] }
        throw AccessTokens.Problem.unreadable(path: error.path)
      }
    }

    /// Rejects a search that no image can match.
    ///
    /// The library cuts the words, as it does for a list. If it cannot be read now, such a token will match nothing.
    /// A note tells of a camera's name without quotation marks that matches nothing now.
    private func check(_ words: String) async throws {
      do throws(StoreError) {
        let query = ImageQuery(search: words, limit: 1)
        guard try await common.library.imageIDs(matching: query).isEmpty, !common.quiet,
          let camera = query.searchForCamera
        else { return }
        ServerService.say(
          """
          no image matches '\(words)' — a name of several words stands in quotation marks: \
          --search \(ShellWord.quoted(camera))\n
          """
        )
      } catch {
        if error.isOfRequest { throw AccessTokens.Problem.unusableSearch(words, error.reason) }
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove tokens; the server then refuses requests with them.",
      usage: "gallery token remove [<options>] <name> ..."
    )

    @Argument(help: ArgumentHelp("The names of the tokens.", valueName: "name"))
    var names: [String]

    @OptionGroup var common: ServerOptions

    func run() async throws {
      var failures: [AccessTokens.Problem] = []
      var removed = 0
      for (index, name) in names.enumerated() where !names[..<index].contains(name) {
        do throws(AccessTokens.Problem) {
          try common.tokens.remove(name: name)
          removed += 1
          let record: Record = ["name": .text(name), "removed": true]
          if common.json { print(record.line) }
        } catch {
          failures.append(error)
        }
      }
      guard let last = failures.popLast() else { return }
      for failure in failures + (removed > 0 ? [last] : []) {
        ServerService.say("\(Self.errorText(for: failure))\n")
      }
      if removed == 0 { throw last }
      // As in other commands, a part is done.
      throw ExitCode(2)
    }
  }
}

/// How long a token is valid.
struct TokenLife: Equatable {
  let seconds: Int

  static func parse(_ text: String) throws -> TokenLife {
    let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400]
    if let unit = text.last.flatMap({ units[String($0)] }), let count = Int(text.dropLast()),
      (1...100 * 366 * 86_400 / unit).contains(count)
    {
      return TokenLife(seconds: count * unit)
    }
    let hint =
      switch text.lowercased() {
      case "auto", "off", "never", "none", "forever":
        "; without --expires, it is valid until it is removed"
      case _ where Int(text) != nil: ", with a unit"
      default: ""
      }
    throw ValidationError("'\(text)' is not how long a token is valid: 12h, 30d or 8w\(hint)")
  }
}

extension AccessTokens.Named {
  /// The line in a list: name, rights and limits, separated by tabs.
  fileprivate func text(_ feedTitle: String?) -> String {
    var parts = [name, isAdmin ? "changes and reads" : "reads"]
    if let feedID { parts.append("feed \(feedID)" + (feedTitle.map { " '\($0)'" } ?? "")) }
    if let search { parts.append("search '\(search)'") }
    if let expires { parts.append("until \(expires.formatted(.iso8601))") }
    return parts.map(HarmlessText.line).joined(separator: "\t")
  }

  fileprivate func record(_ feedTitle: String?) -> Record {
    [
      "name": .text(name), "admin": .flag(isAdmin),
      "feed": .record(feedID.map { ["id": .integer($0), "title": .text(feedTitle)] }),
      "search": .text(search), "created": .text(Wording.timestamp(created)),
      "expires": .text(expires.map(Wording.timestamp)),
    ]
  }
}

extension Record {
  /// The record as a line of JSON, without its end.
  var line: String { String(decoding: JSONLine.lines([self]).dropLast(), as: UTF8.self) }
}

extension ServerOptions {
  /// The library, for reading.
  var library: any LibraryReading {
    CompositionRoot(CompositionRoot.Settings(LibraryLocation(option: cache))).library
  }

  var tokens: AccessTokens {
    AccessTokens(folder: LibraryLocation(option: cache).path)
  }
}

extension AccessTokens.Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .exists(let name):
      "there is a token '\(name)' already; \(SuggestedCommand.quoted("token remove \(ShellWord.quoted(name))")) removes it"
    case .unknown(let name):
      "there is no token '\(name)'; \(SuggestedCommand.quoted("token list")) lists them"
    case .unusableName(let name):
      "'\(name)' is not a name: use letters, digits, '-', '_' and '.'"
        + (AccessTokens.usableName(like: name).map { ", as in \($0)" } ?? "")
    case .unusableSearch(let words, .tooManyWords(let limit)):
      "'\(words)' has more than \(limit) words"
    case .unusableSearch(let words, _):
      "'\(words)' has no letter and no digit, so that it would match no image"
    case .unknownFeed(let name):
      "no feed '\(name)' is followed; \(SuggestedCommand.quoted("feeds")) lists the feeds"
    case .ambiguousFeed(let name, let ids):
      "'\(name)' is the title of several feeds; an id names one: \(ids.map(String.init).joined(separator: ", "))"
    case .unreadable(let path): "cannot read the tokens of \(path): the file is damaged"
    case .unhashable: "cannot load libcrypto, which hashes tokens"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    }
  }
}
