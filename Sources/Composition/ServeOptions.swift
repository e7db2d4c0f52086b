package import ArgumentParser
package import Settings

/// The options of 'gallery serve', which gallery-server reads, and which the completion of 'gallery' offers.
package struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Listen at this address and port, or at a socket: unix:PATH; more than once for several.",
      valueName: "address"
    )
  )
  package var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "A name or an IP address that leads to this server, beside localhost.",
      valueName: "name"
    )
  )
  package var host: [String] = []

  @Option(
    help: ArgumentHelp("The title of the gallery, on its pages and in mirrors.", valueName: "title")
  )
  package var title: String?

  @Option(
    help: ArgumentHelp("A path before all others, behind a proxy: /gallery.", valueName: "path")
  )
  package var basePath = ""

  @Option(
    help: ArgumentHelp("The certificate for TLS, with its chain (PEM).", valueName: "file"),
    completion: .file()
  )
  package var tlsCert: String?

  @Option(
    help: ArgumentHelp("The private key for TLS (PEM).", valueName: "file"),
    completion: .file()
  )
  package var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Ask feeds by itself: auto (each as often as it changes), off, or all every 15m, 6h, 1d.",
      valueName: "interval"
    ),
    transform: SyncInterval.parse
  )
  package var sync = SyncInterval.auto

  @Option(
    name: .customLong("public-url"),
    help: ArgumentHelp(
      "The address of everything that is published, and where hubs announce changes (WebSub).",
      valueName: "url"
    )
  )
  package var publicURL: String?

  @Option(
    help: ArgumentHelp(
      "Believe the fields of this proxy about its clients: an address, a network, or unix.",
      valueName: "address"
    )
  )
  package var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "The field in which a trusted proxy names the person that it has logged in: Remote-User.",
      valueName: "name"
    )
  )
  package var userHeader: String?

  @Flag(
    help:
      "Send browsers to the object store for originals that are not on this disk (needs --objects)."
  )
  package var redirectOriginals = false

  @Flag(
    help: "Tell everyone who sees a picture where it was taken, too, as far as its file says it."
  )
  package var withPlaces = false

  @Flag(
    help:
      "Send originals without the place where they were taken: JPEG, PNG, WebP, HEIC, AVIF; refuse others."
  )
  package var originalsWithoutPlace = false

  @Flag(help: "Open the address in the desktop's browser (xdg-open).")
  package var open = false

  @OptionGroup package var telling: TellingOptions
  @OptionGroup package var storage: StorageOptions
  @OptionGroup package var certificates: CertificateOptions

  package init() {}
}

/// The options of every command of the server.
package struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The library's folder, or the address of its PostgreSQL database.",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var cache: String?

  @Flag(help: "Print results as JSON, one object a line.")
  package var json = false

  @Flag(name: .shortAndLong, help: "Print results and failures only: no notes.")
  package var quiet = false

  @Flag(name: .shortAndLong, help: "Write the log of requests to standard error.")
  package var verbose = false

  @Option(
    help: ArgumentHelp(
      "Colour messages: auto, always or never; the server colours none.",
      valueName: "when"
    )
  )
  package var color: ColorMode = .auto

  package init() {}
}

/// How often the server asks feeds.
package struct SyncInterval: Equatable {
  /// Nil for never.
  package var duration: Duration?
  /// Whether each feed is asked when it is due, instead of at fixed intervals.
  package var isLearned = false

  package static let auto = SyncInterval(duration: .seconds(3_600), isLearned: true)

  package static func parse(_ text: String) throws -> SyncInterval {
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
