import ArgumentParser
import Composition
import FoundationEssentials
import Glibc
import HTTPTypes
import Logging
import Models
import Scenes
import Settings
import Threading
import Web

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
    Heap.keepFreedMemory()
    let words = Array(ProcessTitle.mask().dropFirst())
    let library = LibraryLocation.suggested(ConfiguredLine.typedLibrary(in: words))
    await SuggestedCommand.$library.withValue(library) {
      await answer(words)
    }
  }

  private static func answer(_ words: [String]) async {
    var line: ConfiguredLine?
    do {
      if words == [ConfigurationMistake.request] { return try printMistakes() }
      let configured = try ConfiguredLine(words, of: catalog())
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
      let code = exitCode(for: error)
      guard code != .success else { exit(withError: error) }
      var text = errorText(for: error)
      if code == .validationFailure, let catalog = try? catalog(),
        let unknown = UnknownOption(in: words, of: catalog)
      {
        text = unknown.explained(text, advice: nil)
      }
      if !text.isEmpty { ServerService.say("\(text)\n") }
      Glibc.exit(code.rawValue)
    }
  }

  private static func catalog() throws -> CommandCatalog {
    try CommandCatalog(Data(_dumpHelp().utf8), isOfServer: true)
  }

  /// Prints the mistakes in the settings of these commands, for 'gallery config check'.
  private static func printMistakes() throws {
    let environment = ProcessInfo.processInfo.environment
    let configuration = Configuration(
      try catalog(),
      file: try ConfigurationFile.ofUser(in: environment),
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
    usage: "gallery serve [<options>]",
    discussion: """
      Prints an address with a token, and serves until it is stopped:

        gallery serve
        gallery serve --listen 0.0.0.0:8470 --host photos.home
        gallery serve --listen unix:/run/user/1000/gallery.sock --base-path /gallery
        gallery serve --host photos.example.org --public-url https://photos.example.org/

      Every address needs a token, on this machine, too, where other users reach the port. A browser keeps it in a \
      cookie; programs send it as 'Authorization: Bearer TOKEN'. 'gallery token' makes more of them.
      """
  )

  @OptionGroup var options: ServeOptions
  @OptionGroup var common: ServerOptions

  func validate() throws {
    if (options.tlsCert == nil) != (options.tlsKey == nil) {
      throw ValidationError("--tls-cert and --tls-key belong together")
    }
    if let title, title.unicodeScalars.count > 200 {
      throw ValidationError("--title takes at most 200 characters")
    }
    let path = options.basePath
    let isPath = path.hasPrefix("/") && !path.hasSuffix("/")
    if !path.isEmpty, !isPath {
      throw ValidationError("--base-path begins with a slash, and does not end with one")
    }
    if options.publicURL != nil, publicAddress == nil {
      throw ValidationError(
        "--public-url is an http or https address without a query, such as https://photos.example.org/"
      )
    }
    do throws(TrustedProxies.UnusableText) { _ = try TrustedProxies(options.trustedProxy) } catch {
      throw ValidationError(
        "--trusted-proxy \(error.text) is no IP address, no network such as 10.0.0.0/8, and not unix"
      )
    }
    if let userHeader = options.userHeader {
      guard HTTPField.Name(userHeader) != nil else {
        throw ValidationError("--user-header \(userHeader) is not the name of a field")
      }
      if options.trustedProxy.isEmpty {
        throw ValidationError(
          "--user-header needs --trusted-proxy: everyone could write the field themselves"
        )
      }
    }
    _ = try hostNames
    if options.redirectOriginals, options.storage.objects.objects == nil {
      throw ValidationError("--redirect-originals needs --objects")
    }
    if options.originalsWithoutPlace, options.redirectOriginals {
      throw ValidationError(
        "--redirect-originals and --originals-without-place exclude each other: "
          + "the object store has the originals with their places"
      )
    }
    if options.originalsWithoutPlace, options.withPlaces {
      throw ValidationError(
        "--with-places tells the places that --originals-without-place removes: choose one of them"
      )
    }
    let addresses = try ListenAddress.all(options.listen)
    if options.host.isEmpty, let open = addresses.first(where: { !$0.isLocal }) {
      throw ValidationError(
        "--listen \(open) is reached from other machines: "
          + "--host names the server as they know it, by a name or an IP address"
      )
    }
  }

  /// The title as one line; nil for none.
  private var title: String? {
    let words = options.title?.split { $0.isWhitespace || $0.isNewline } ?? []
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Nil for an address that other addresses cannot begin with.
  private var publicAddress: WebAddress? {
    guard let address = options.publicURL.flatMap(WebAddress.init), address.isWeb,
      address.query == nil,
      !address.text.utf8.contains(UInt8(ascii: "#")),
      !address.text.utf8.contains(UInt8(ascii: "@"))
    else { return nil }
    return address
  }

  func run() async throws {
    let sockets = try InheritedSocket.all()
    OpenFiles.raiseLimit()
    let root = CompositionRoot(try settings())
    if let refusal = await root.refusalToServe() {
      throw StartProblem(refusal.message.webText)
    }
    if let text = await root.keepWithinBounds() {
      let line = Array((text + "\n").utf8)
      _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
    let tokens = common.tokens
    let token = try tokens.serverToken()
    let service = ServerService(
      server: GalleryServer(root, try serverSettings, tokens: tokens, serverToken: token),
      addresses: sockets.isEmpty || !options.listen.isEmpty
        ? try ListenAddress.all(options.listen) : [],
      sockets: sockets,
      tls: options.tlsCert.flatMap { certificate in options.tlsKey.map { (certificate, $0) } },
      sync: options.sync,
      token: token,
      opensBrowser: options.open,
      isJSON: common.json,
      isQuiet: common.quiet,
      logger: common.logger
    )
    let isReload = try await service.run()
    try await root.settle()
    if isReload { SystemdNotification.restart() }
  }

  private func settings() throws -> CompositionRoot.Settings {
    var settings = CompositionRoot.Settings(LibraryLocation(option: common.cache))
    settings.extraCertificates = options.certificates.certificates
    settings.feeds = try FeedSettings.ofUser()
    settings.bounds = options.storage.bounds
    settings.objects = options.storage.objects.store
    settings.tellers = options.telling.tellers
    settings.logger = common.logger
    return settings
  }

  private var serverSettings: GalleryServer.Settings {
    get throws {
      .init(
        basePath: options.basePath,
        title: title,
        hosts: Set(try hostNames),
        isSecure: options.tlsCert != nil,
        publicURL: publicAddress,
        proxies: try TrustedProxies(options.trustedProxy),
        userHeader: options.userHeader.flatMap { HTTPField.Name($0) },
        redirectsOriginals: options.redirectOriginals,
        tellsPlaces: options.withPlaces,
        removesPlaces: options.originalsWithoutPlace
      )
    }
  }

  private var hostNames: [String] {
    get throws {
      try options.host.map { text in
        do throws(HostName.Problem) { return try HostName.parse(text) } catch {
          throw ValidationError("--host \(text): \(error.text)")
        }
      }
    }
  }
}

extension ServerOptions {
  /// Writes to standard error: the log of requests with `--verbose`, otherwise only failures of the server.
  var logger: Logger {
    var logger = Logger(label: "gallery") { _ in StreamLogHandler.standardError(label: "gallery") }
    logger.logLevel = verbose ? .info : .error
    return logger
  }
}
