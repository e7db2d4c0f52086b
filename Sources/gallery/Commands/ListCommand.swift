import ArgumentParser
import Glibc
import Models
import Scenes
import Terminal
import Workers

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    _superCommandName: GalleryCommand.name,
    abstract: "List the images of the library; never asks the network.",
    discussion: """
      On a terminal one screen is listed, unless --limit says otherwise, as a grid of thumbnails \
      where the terminal can show pictures, with id and title under each. Through a pipe everything, \
      a line an image: id, published (ISO 8601, UTC), feed, title, and 'original' when the original \
      is stored, separated by tabs.

        gallery list --search "evening clouds"
        gallery list --feed 2 --sort title | cut -f 1,4
        gallery list --since 7d
        gallery list --pictures never
        gallery show $(gallery list --sort random --limit 1 | cut -f 1)

      --since takes a day or a moment in the style of ISO 8601 (2026-11-01, 2026-11-01T08:30, \
      2026-11-01T08:30Z), in the time zone of this machine where it names none, or how many hours, \
      days of 24 hours or weeks ago: 3h, 7d, 2w. What counts is the date that 'newest' sorts by.
      """
  )

  @Option(
    help: ArgumentHelp(
      "Only images of this feed: its id, title, address or path.",
      valueName: "feed"
    )
  )
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "Only images with all these words, or words that begin so, in title, caption, author or feed.",
      valueName: "words"
    )
  )
  var search: String?

  @Option(
    help: ArgumentHelp(
      "Only images of this moment or later: a date, or 7d, 2w, 3h.",
      valueName: "date"
    ),
    transform: MomentArgument.parse
  )
  var since: MomentArgument?

  @Option(help: "The order.")
  var sort: ImageQuery.Order = .newest

  @Option(help: ArgumentHelp("List at most this many.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out this many at the beginning.", valueName: "n"))
  var offset: Int?

  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on") }
    if let offset, offset < 0 { throw ValidationError("--offset takes a number from 0 on") }
    if sort == .random, let offset, offset > 0 {
      throw ValidationError("--sort random begins anew each time: --offset has no meaning with it")
    }
  }

  func run() async throws {
    let gallery = Gallery(common, whenOutputClosed: .end)
    let grid = gallery.drawing(pictures.pictures)?.makeGrid()
    let navigation = NoNavigation(gallery: gallery)
    let (scene, display) = gallery.listImages(navigation: navigation, grid: grid)
    await scene.interactor.fetchImages(
      request: .init(
        order: sort,
        feed: feed.map(FeedArguments.feed),
        search: search,
        since: since?.date,
        limit: limit ?? screenful(grid),
        offset: offset ?? 0,
        grid: grid.map { .init(room: $0.room.box, count: $0.countPerRow) }
      )
    )
    try gallery.end(display.outcome)
  }

  /// What a terminal shows between the headings and the note on the next page, with the next prompt below;
  /// nil through a pipe.
  private func screenful(_ grid: PictureGrid?) -> Int? {
    guard !common.json, let window = TerminalWindow(descriptor: STDOUT_FILENO) else { return nil }
    return grid?.countPerPage(rowsKept: 2) ?? max(1, window.rows - 3)
  }
}
