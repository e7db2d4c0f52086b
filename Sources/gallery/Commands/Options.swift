import ArgumentParser
import Composition
import FoundationEssentials
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
      "Only images with all these words, or words that begin with them; camera:WORD is about the camera.",
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

  @OptionGroup var certificates: CertificateOptions

  func validate() throws {
    if let cacert { try CertificateOptions.check(cacert) }
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

/// The value of an argument for images: an id, or several as `1,2,3` or `4-6`.
enum ImageArgument {
  /// Reads ids, or throws a message with a search for anything else.
  static func parse(_ text: String) throws -> IDList {
    if let list = IDList(text) { return list }
    if let mistake = IDList.mistake(in: text) { throw ValidationError(mistake) }
    let search = Synonym.command("list --search <words>", [text])
    throw ValidationError("an image is named by its number; to find one, type: \(search)")
  }
}

extension ImageQuery.Order: ExpressibleByArgument {}

extension PictureMode: ExpressibleByArgument {}
