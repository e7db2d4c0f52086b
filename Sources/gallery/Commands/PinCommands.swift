import ArgumentParser
import Models
import Scenes
import Terminal

struct PinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Mark images to be kept.",
    usage: "gallery pin [<options>] [<id> ...]",
    discussion: """
      Browsers that keep pictures for offline use keep the originals of pinned images, and mirrors \
      have the same pins.

        gallery pin 7 12
        gallery pin --search "northern lights"
        gallery list --pinned
      """
  )

  @OptionGroup var images: PinnedImages
  @OptionGroup var common: CommonOptions

  func run() async throws { try await images.setPinned(true, common) }
}

struct UnpinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin",
    abstract: "Unpin images.",
    usage: "gallery unpin [<options>] [<id> ...]",
    discussion: """
        gallery unpin 7
        gallery unpin --feed 2
      """
  )

  @OptionGroup var images: PinnedImages
  @OptionGroup var common: CommonOptions

  func run() async throws { try await images.setPinned(false, common) }
}

/// The images to pin: those with some ids, or those of a feed or a search.
struct PinnedImages: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The ids of the images.", valueName: "id"),
    completion: LibraryCompletion.images,
    transform: ImageArgument.parse
  )
  var lists: [IDList] = []

  private var ids: [Int64] { lists.flatMap(\.ids) }

  @OptionGroup var selection: ImageSelection

  func validate() throws {
    guard ids.isEmpty else {
      if !selection.isEmpty {
        throw ValidationError("ids and --feed or --search exclude each other")
      }
      return
    }
    if selection.isEmpty { throw ValidationError("name images by id, or by --feed or --search") }
  }

  func setPinned(_ isPinned: Bool, _ common: CommonOptions) async throws {
    let run = CommandRun(common)
    let (interactor, display) = run.listImages()
    let list = ListImages.FetchImages.Request(
      query: ImageQuery(search: selection.search),
      feed: selection.argument
    )
    await interactor.pinImages(
      request: .init(
        ids: ids,
        ranges: lists.flatMap(\.parts).filter { $0.count > 1 },
        list: ids.isEmpty ? list : nil,
        isPinned: isPinned
      )
    )
    try await run.end(display.outcome)
  }
}
