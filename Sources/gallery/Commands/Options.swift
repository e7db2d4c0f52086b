import ArgumentParser
import FoundationEssentials
import Glibc
import Models
import Scenes
import Settings
import Terminal
import Workers

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp(
      "The library's folder, or the address of its PostgreSQL database.",
      valueName: "dir"
    ),
    completion: .directory
  )
  var cache: String?

  @Flag(help: "Print results as JSON, one object a line.")
  var json = false

  @Flag(
    name: .shortAndLong,
    help: "Print results and failures only: no summaries, no progress, no notes."
  )
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log what is done, and every blemish, to standard error.")
  var verbose = false

  @Option(
    help: ArgumentHelp("Colour messages: auto, on a terminal; always; never.", valueName: "when")
  )
  var color: ColorMode = .auto

  /// The environment, with the wish for colours.
  var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    switch color {
    case .auto: break
    case .always: environment["NO_COLOR"] = nil
    case .never: environment["NO_COLOR"] = "1"
    }
    return environment
  }
}

/// The options of commands that select some of the images.
struct ImageSelection: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long],
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only images of this feed, or of this list's feeds: its id, title, address or path.",
      valueName: "feed"
    ),
    completion: LibraryCompletion.feeds
  )
  var feed: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only images with all these words, or words that begin with them.",
      valueName: "words"
    ),
    completion: LibraryCompletion.words
  )
  var search: String?

  var isEmpty: Bool { feed == nil && search == nil }

  var argument: FeedArgument? { feed.map(FeedArguments.feed) }
}

/// The options of commands that ask servers.
struct NetworkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the certificate authorities of this PEM file, and no others.",
      valueName: "file"
    ),
    completion: .file()
  )
  var cacert: String?

  /// Refuses a file without certificates before any request, because then no server could be trusted.
  func validate() throws {
    guard let cacert, let problem = Self.problem(ofCertificates: cacert) else { return }
    throw ValidationError(Wording.unusableCertificates(cacert, because: problem))
  }

  /// The first lines of certificates in PEM (RFC 7468); the second is OpenSSL's own form.
  private static let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

  /// The reason why a certificate file cannot be used, in words of the system or the program; nil when it can.
  private static func problem(ofCertificates path: String) -> String? {
    guard let file = fopen(path, "r") else { return String(cString: strerror(errno)) }
    fclose(file)
    guard let data = FileManager.default.contents(atPath: path) else { return "it cannot be read" }
    let hasCertificate = data.split(separator: UInt8(ascii: "\n")).contains { line in
      marks.contains { line.starts(with: $0.utf8) }
    }
    return hasCertificate ? nil : "it holds no certificate in PEM"
  }
}

/// The options of commands that draw pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When pictures are drawn: auto, on a terminal; always, through a pipe, too; never.",
      valueName: "when"
    )
  )
  var pictures: PictureMode = .auto
}

/// The value of an argument for an image: its id.
enum ImageArgument {
  /// Reads an id, or throws a message with a search for anything else.
  static func parse(_ text: String) throws -> Int64 {
    if let id = Int64(text) { return id }
    let search = Synonym.command("list --search <words>", [text])
    throw ValidationError("an image is named by its number; to find one, type: \(search)")
  }
}

extension ImageQuery.Order: ExpressibleByArgument {}

extension PictureMode: ExpressibleByArgument {}
