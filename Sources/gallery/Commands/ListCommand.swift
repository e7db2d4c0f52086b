import ArgumentParser
import FoundationEssentials
import Glibc
import Models
import Scenes
import Terminal
import Workers

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the images of the library.",
    usage: "gallery list [<options>]",
    discussion: """
      Never uses the network. On a terminal one screen is listed, unless --limit says otherwise, as a grid of thumbnails \
      where the terminal can show pictures, with id and title under each. Through a pipe everything, \
      a line an image: id, published (ISO 8601, UTC), feed, title, and 'original' when the original \
      is stored, separated by tabs.

        gallery list --search "evening clouds"
        gallery list --feed 2 --sort title | cut -f 1,4
        gallery list --since 7d
        gallery list --pictures never
        gallery list --stored --landscape --format '{id}\\t{title}'
        gallery show $(gallery list --sort random --limit 1 | cut -f 1)

      --since takes a day or a moment in ISO 8601 (2026-11-01, 2026-11-01T08:30, 2026-11-01T08:30Z), \
      in the time zone of this machine if it names none, or 3h, 7d, 2w for hours, days of 24 hours \
      and weeks ago. It is compared with the date that 'newest' sorts by.
      """
  )

  @OptionGroup var selection: ImageSelection

  @Option(
    help: ArgumentHelp(
      "Only images dated at this moment or later: a date, or 7d, 2w, 3h.",
      valueName: "date"
    ),
    transform: MomentArgument.parse
  )
  var since: Date?

  @Option(
    help: ArgumentHelp(
      "Only images that came to the library at this moment or later.",
      valueName: "date"
    ),
    transform: MomentArgument.parse
  )
  var addedSince: Date?

  @Flag(help: "Only images whose original is stored.")
  var stored = false

  @Flag(help: "Only images whose original is not stored.")
  var missing = false

  @Flag(help: "Only images that are pinned.")
  var pinned = false

  @Flag(help: "Only images that are known to be wider than high.")
  var landscape = false

  @Flag(help: "Only images that are known to be higher than wide.")
  var portrait = false

  @Option(help: ArgumentHelp("The order.", valueName: "order"))
  var sort: ImageQuery.Order = .newest

  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    parsing: .unconditional,
    help: ArgumentHelp("List at most this many.", valueName: "n")
  )
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip this many images at the beginning.", valueName: "n")
  )
  var offset: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Print each image like this: '{id}\\t{title}'; the names are those of --json, as feed.title and \
      thumbnail.url.
      """,
      valueName: "pattern"
    ),
    transform: ListCommand.format
  )
  var format: ListFormat?

  @Flag(help: "End with status 1 if no image is listed.")
  var failEmpty = false

  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be at least 0") }
    if let offset, offset < 0 { throw ValidationError("--offset must be at least 0") }
    let pairs = [
      ("stored", stored, "missing", missing), ("landscape", landscape, "portrait", portrait),
      ("format", format != nil, "json", common.json),
      ("format", format != nil, "pictures always", pictures.pictures == .always),
    ]
    for (first, isFirst, second, isSecond) in pairs where isFirst && isSecond {
      throw ValidationError("--\(first) and --\(second) exclude each other")
    }
    if sort == .random, let offset, offset > 0 {
      throw ValidationError(
        "--sort random gives another order each time, so that --offset means nothing with it"
      )
    }
  }

  func run() async throws {
    let run = CommandRun(common, endsWithOutput: true)
    let grid = format == nil ? run.drawing(pictures.pictures)?.makeGrid() : nil
    let isScreenLimit = limit == nil && sort != .random
    let (interactor, display) = run.listImages(
      grid: grid,
      nextPage: isScreenLimit ? { NextPage.command(CommandLine.arguments, offset: $0) } : nil,
      format: format
    )
    await interactor.fetchImages(
      request: .init(
        query: query(limit: limit ?? screenful(grid)),
        feed: selection.argument,
        grid: grid.map { .init(room: $0.room, count: $0.countPerRow) },
        hasFacts: format.map(\.hasFacts) ?? common.json
      )
    )
    // Without a library, the display has told so, which is no failure otherwise.
    let isEmpty = failEmpty && display.command.listed == 0 && display.outcome ?? .done == .done
    try await run.end(isEmpty ? .failed : display.outcome)
  }

  private func query(limit: Int?) -> ImageQuery {
    ImageQuery(
      order: sort,
      search: selection.search,
      since: since,
      addedSince: addedSince,
      isOriginalStored: stored || missing ? stored : nil,
      isPinned: pinned,
      shape: landscape ? .landscape : portrait ? .portrait : nil,
      limit: limit,
      offset: offset ?? 0
    )
  }

  private static func format(_ pattern: String) throws -> ListFormat {
    do {
      return try ListFormat(pattern)
    } catch ListFormat.Problem.unknownField(let name) {
      let names = ListFormat.fieldNames
      if ListFormat.isOriginalAddress(name) {
        throw ValidationError(
          "'{\(name)}' is not a field, because a list has no address of an original; '\(SuggestedCommand.program) show "
            + "--info --json <id>' prints it as originalURL"
        )
      }
      let members = names.filter { $0.hasPrefix("\(name).") }
      let near = [NearestWord.nearest(to: name, among: names)].compactMap(\.self)
      let others = ListFormat.synonyms(of: name)
      let meant = [members, others, near].first { !$0.isEmpty }?.map { "'{\($0)}'" } ?? []
      throw ValidationError(
        "'{\(name)}' is not a field"
          + (meant.isEmpty ? "; " : "; did you mean \(meant.joined(separator: " or "))? — ")
          + "the fields are \(names.joined(separator: ", "))"
      )
    } catch {
      throw ValidationError(
        "a brace of '\(pattern)' has no counterpart; '{{' and '}}' print a brace"
      )
    }
  }

  /// The number of images that fit on the screen with the headings, the note on the next page and the prompt.
  ///
  /// Nil through a pipe.
  private func screenful(_ grid: PictureGrid?) -> Int? {
    guard !common.json, format == nil, let window = TerminalWindow(descriptor: STDOUT_FILENO) else {
      return nil
    }
    return grid?.countPerPage(rowsKept: 2) ?? max(1, window.rows - 3)
  }
}
