import ArgumentParser
import Composition
import FoundationEssentials
import Models
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
      abstract: "List the tokens with names."
    )

    @OptionGroup var common: ServerOptions

    func run() async throws {
      for token in try common.tokens.named() {
        var parts = [token.name, token.isAdmin ? "changes and reads" : "reads"]
        if let feed = token.feedID { parts.append("feed \(feed)") }
        if let words = token.search { parts.append("search '\(words)'") }
        if let expires = token.expires {
          parts.append("until \(expires.formatted(.iso8601))")
        }
        print(parts.joined(separator: "\t"))
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a token, and print it; it cannot be printed again."
    )

    @Argument(help: "A name to remove it by.")
    var name: String

    @Flag(help: "It may change the library, too.")
    var admin = false

    @Option(help: ArgumentHelp("Only images of the feed with this id.", valueName: "id"))
    var feed: Int64?

    @Option(help: ArgumentHelp("Only images with these words.", valueName: "words"))
    var search: String?

    @Option(help: ArgumentHelp("Until when: 12h, 30d.", valueName: "time"))
    var expires: String?

    @OptionGroup var common: ServerOptions

    func validate() throws {
      if admin, feed != nil || search != nil {
        throw ValidationError("--admin and a limit to a part of the library exclude each other")
      }
      _ = try expires.map(SyncInterval.parse)
    }

    func run() async throws {
      if let search { try await check(search) }
      let now = Date()
      let duration = try expires.flatMap { try SyncInterval.parse($0).duration }
      let token = try common.tokens.add(
        Access(name: name, isAdmin: admin, feedID: feed, search: search),
        created: now,
        expires: duration.map { now.addingTimeInterval($0 / .seconds(1)) }
      )
      print(token)
    }

    /// Rejects a search that no image can match.
    ///
    /// The library cuts the words, as it does for a list. If it cannot be read now, such a token will match nothing.
    private func check(_ words: String) async throws {
      let location = LibraryLocation(option: common.cache)
      let library = CompositionRoot(CompositionRoot.Settings(location)).library
      do throws(StoreError) {
        _ = try await library.imageIDs(matching: ImageQuery(search: words, limit: 1))
      } catch {
        if error.isOfRequest { throw AccessTokens.Problem.unusableSearch(words, error.reason) }
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a token; the server then refuses requests with it."
    )

    @Argument(help: "The name of the token.")
    var name: String

    @OptionGroup var common: ServerOptions

    func run() async throws { try common.tokens.remove(name: name) }
  }
}

extension ServerOptions {
  var tokens: AccessTokens {
    AccessTokens(folder: LibraryLocation(option: cache).path)
  }
}

extension AccessTokens.Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .exists(let name): "there is a token '\(name)' already; 'gallery token remove' removes it"
    case .unknown(let name): "there is no token '\(name)'; 'gallery token list' lists them"
    case .unusableName(let name): "'\(name)' is not a name: use letters, digits, '-', '_' and '.'"
    case .unusableSearch(let words, .tooManyWords(let limit)):
      "'\(words)' has more than \(limit) words"
    case .unusableSearch(let words, _):
      "'\(words)' has no letter and no digit, so that it would match no image"
    case .unreadable(let path): "cannot read the tokens of \(path): the file is damaged"
    case .unhashable: "cannot load libcrypto, which hashes tokens"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    }
  }
}
