import ArgumentParser
import Composition
import FoundationEssentials
import Glibc
import Logging
import Models
import Scenes
import Settings
import Threading

/// The program behind `gallery serve` and `gallery token`.
@main
struct GalleryServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Serves the library to browsers and programs.",
    version: Version.current,
    subcommands: [ServeCommand.self, TokenCommand.self]
  )

  static func main() async {
    var line: ConfiguredLine?
    do {
      let words = Array(ProcessTitle.mask().dropFirst())
      if words == [ConfigurationMistake.request] { return try printMistakes() }
      let configured = try ConfiguredLine(words, of: Self.self, isServer: true)
      line = configured
      var command = try await asyncParseAsRoot(configured.words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      if let note = line?.note(on: message(for: error)) {
        ServerService.say("\(note)\n")
      }
      exit(withError: error)
    }
  }

  /// Prints the mistakes in the settings of these commands, for 'gallery config check'.
  private static func printMistakes() throws {
    let environment = ProcessInfo.processInfo.environment
    let configuration = Configuration(
      try CommandCatalog(Data(_dumpHelp().utf8), isOfServer: true),
      file: try ConfigurationFile.path(in: environment).flatMap { try ConfigurationFile(path: $0) },
      environment: environment
    )
    let mistakes = configuration.mistakes + configuration.valueMistakes(of: Self.self)
    print(String(decoding: try JSONEncoder().encode(mistakes), as: UTF8.self))
  }
}

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the library to browsers, picture frames and programs.",
    discussion: """
      Prints an address with a token, and serves until it is stopped:

        gallery serve
        gallery serve --listen 0.0.0.0:8470 --host photos.home
        gallery serve --listen unix:/run/user/1000/gallery.sock --base-path /gallery

      Every address needs a token, on this machine, too, where other users reach the port. A browser keeps it in a \
      cookie; programs send it as 'Authorization: Bearer TOKEN'. 'gallery token' makes more of them.
      """
  )

  @Option(
    help: ArgumentHelp(
      "Listen at this address and port, or at a socket: unix:PATH; more than once for several.",
      valueName: "address"
    )
  )
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "A name or an IP address that leads to this server, beside localhost.",
      valueName: "name"
    )
  )
  var host: [String] = []

  @Option(
    help: ArgumentHelp("A path before all others, behind a proxy: /gallery.", valueName: "path")
  )
  var basePath = ""

  @Option(
    help: ArgumentHelp("The certificate for TLS, with its chain (PEM).", valueName: "file"),
    completion: .file()
  )
  var tlsCert: String?

  @Option(
    help: ArgumentHelp("The private key for TLS (PEM).", valueName: "file"),
    completion: .file()
  )
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Ask feeds by itself: auto (each as often as it changes), off, or all every 15m, 6h, 1d.",
      valueName: "interval"
    ),
    transform: SyncInterval.parse
  )
  var sync = SyncInterval.auto

  @Option(
    name: .customLong("public-url"),
    help: ArgumentHelp(
      "The public address of this server, where hubs announce changes (WebSub).",
      valueName: "url"
    )
  )
  var publicURL: String?

  @Flag(
    help:
      "Send browsers to the object store for originals that are not on this disk (needs --objects)."
  )
  var redirectOriginals = false

  @Flag(help: "Open the address in the desktop's browser (xdg-open).")
  var open = false

  @OptionGroup var telling: TellingOptions
  @OptionGroup var storage: StorageOptions
  @OptionGroup var common: ServerOptions

  func validate() throws {
    if (tlsCert == nil) != (tlsKey == nil) {
      throw ValidationError("--tls-cert and --tls-key belong together")
    }
    let isPath = basePath.hasPrefix("/") && !basePath.hasSuffix("/")
    if !basePath.isEmpty, !isPath {
      throw ValidationError("--base-path begins with a slash, and does not end with one")
    }
    if publicURL != nil, publicAddress == nil {
      throw ValidationError(
        "--public-url is an http or https address without a query, such as https://photos.example.org/"
      )
    }
    if redirectOriginals, storage.objects.objects == nil {
      throw ValidationError("--redirect-originals needs --objects")
    }
    let addresses = try ListenAddress.all(listen)
    if host.isEmpty, let open = addresses.first(where: { !$0.isLocal }) {
      throw ValidationError(
        "--listen \(open) is reached from other machines: "
          + "--host names the server as they know it, by a name or an IP address"
      )
    }
  }

  /// Nil for an address that other addresses cannot begin with.
  private var publicAddress: WebAddress? {
    guard let address = publicURL.flatMap(WebAddress.init), address.isWeb, address.query == nil,
      !address.text.utf8.contains(UInt8(ascii: "#")),
      !address.text.utf8.contains(UInt8(ascii: "@"))
    else { return nil }
    return address
  }

  func run() async throws {
    let sockets = try InheritedSocket.all()
    OpenFiles.raiseLimit()
    let root = CompositionRoot(try settings())
    let tokens = common.tokens
    let token = try tokens.serverToken()
    let service = ServerService(
      server: GalleryServer(root, serverSettings, tokens: tokens, serverToken: token),
      addresses: sockets.isEmpty || !listen.isEmpty ? try ListenAddress.all(listen) : [],
      sockets: sockets,
      tls: tlsCert.flatMap { certificate in tlsKey.map { (certificate, $0) } },
      sync: sync,
      token: token,
      opensBrowser: open,
      logger: common.logger
    )
    let isReload = try await service.run()
    try await root.settle()
    if isReload { SystemdNotification.restart() }
  }

  private func settings() throws -> CompositionRoot.Settings {
    var settings = CompositionRoot.Settings(LibraryLocation(option: common.cache))
    settings.feeds = try FeedSettings.ofUser()
    settings.bounds = storage.bounds
    settings.objects = storage.objects.store
    settings.tellers = telling.tellers
    settings.logger = common.logger
    return settings
  }

  private var serverSettings: GalleryServer.Settings {
    .init(
      basePath: basePath,
      hosts: Set(host.map { $0.lowercased() }),
      isSecure: tlsCert != nil,
      publicURL: publicAddress,
      redirectsOriginals: redirectOriginals
    )
  }
}

/// The options of every command of the server.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of the library.", valueName: "folder"),
    completion: .directory
  )
  var cache: String?

  @Flag(name: .shortAndLong, help: "Write the log of requests to standard error.")
  var verbose = false

  /// Writes to standard error: the log of requests with `--verbose`, otherwise only failures of the server.
  var logger: Logger {
    var logger = Logger(label: "gallery") { _ in StreamLogHandler.standardError(label: "gallery") }
    logger.logLevel = verbose ? .info : .error
    return logger
  }
}

/// How often the server asks feeds.
struct SyncInterval: Equatable {
  /// Nil for never.
  var duration: Duration?
  /// Whether each feed is asked when it is due, instead of at fixed intervals.
  var isLearned = false

  static let auto = SyncInterval(duration: .seconds(3_600), isLearned: true)

  static func parse(_ text: String) throws -> SyncInterval {
    switch text {
    case "auto": return auto
    case "off": return SyncInterval(duration: nil)
    default:
      let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
      guard let unit = text.last.flatMap({ units[String($0)] }), let count = Int(text.dropLast()),
        count > 0, count <= 366 * 86_400
      else { throw ValidationError("'\(text)' is not an interval: auto, off, 15m, 6h or 1d") }
      return SyncInterval(duration: .seconds(count * unit))
    }
  }
}
