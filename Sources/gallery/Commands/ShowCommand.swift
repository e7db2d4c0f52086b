import ArgumentParser
import Composition
import FoundationEssentials
import Models
import Scenes
import Settings
import Terminal
import Workers

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show images: the thumbnail, then the original.",
    usage: "gallery show [<options>] <id> ...",
    discussion: """
      On a terminal that can show pictures, draws the thumbnail at once and then, in its place, the \
      original as it arrives, fitted to the window. Through a pipe, prints the path of the original's \
      file, or nothing if none is stored:

        feh "$(gallery show 3)"
        gallery show 3 --output picture.jpg
        gallery show 3 4 5 --output pictures/
        gallery show 3 --info
        gallery show 3 --open
        gallery show 3 --refresh
        gallery show 3 --newer

      An original whose file is damaged is fetched again; when that fails, nothing is printed and \
      the status is 4. With --force and without --output its path is printed all the same, with a \
      warning and status 2.
      """
  )

  @Argument(
    help: ArgumentHelp("The ids of images, as 'gallery list' prints them.", valueName: "id"),
    completion: LibraryCompletion.images,
    transform: ImageArgument.parse
  )
  var lists: [IDList]

  private var ids: [Int64] { lists.flatMap(\.ids) }

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Write a copy to this file, or into this folder; '-' is standard output.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @Flag(
    help: "Replace the file that --output names; without --output, show a damaged original, too."
  )
  var force = false

  @Flag(help: "Show the thumbnail only.")
  var thumbnail = false

  @Flag(help: "Print all that is known of the image; never asks the network.")
  var info = false

  @Flag(help: "Show the stored picture; never use the network.")
  var offline = false

  @Flag(help: "Ask the server whether a stored original has changed.")
  var refresh = false

  @Flag(help: "Show the newer picture that is kept beside the stored one; never use the network.")
  var newer = false

  @Flag(help: "Open the original with the desktop's own program (xdg-open); never an SVG.")
  var open = false

  @OptionGroup var pictures: PictureOptions
  @OptionGroup var storage: StorageOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if output != nil, ids.count > 1, outputFolder == nil {
      throw ValidationError("--output takes one id, or a folder, whose name ends in a slash")
    }
    if output != nil, info { throw ValidationError("--info and --output exclude each other") }
    if info, thumbnail { throw ValidationError("--info and --thumbnail exclude each other") }
    for (isGiven, option) in [(offline, "offline"), (info, "info"), (thumbnail, "thumbnail")]
    where refresh && isGiven {
      throw ValidationError("--refresh and --\(option) exclude each other")
    }
    for (isGiven, option) in [
      (info, "info"), (thumbnail, "thumbnail"), (refresh, "refresh"), (open, "open"),
    ] where newer && isGiven {
      throw ValidationError("--newer and --\(option) exclude each other")
    }
    for (isGiven, option) in [
      (common.json, "json"), (info, "info"), (thumbnail, "thumbnail"), (output == "-", "output -"),
    ] where open && isGiven {
      throw ValidationError("--open and --\(option) exclude each other")
    }
    if output == "-", common.json {
      throw ValidationError("--json and --output - exclude each other")
    }
  }

  /// The folder that --output names; nil when it names a file.
  private var outputFolder: String? {
    guard let output else { return nil }
    var isFolder = false
    let isThere = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    guard output.hasSuffix("/") || isThere && isFolder else { return nil }
    let path = String(output.reversed().drop { $0 == "/" }.reversed())
    return path.isEmpty ? "/" : path
  }

  func run() async throws {
    let asks = !offline && !info && !newer
    let run = CommandRun(
      common,
      network: network,
      feeds: asks ? try .ofUser() : .init(),
      storage: storage
    )
    let interruption = Interruption()
    let drawing = info || output == "-" ? nil : run.drawing(pictures.pictures)
    let room = { drawing?.makeArea().room }
    let (scene, display, imageDisplay) = run.showImages(
      drawing: drawing,
      tellsMissing: !info
    ) { interactor in
      await show(interactor, in: room, until: interruption.stop)
    }
    await scene.showImages(lists) { !interruption.isReceived }
    // Afterwards, so that a picture never waits, and counts as viewed before others. Facts alone view nothing.
    if !info { await run.keepWithinBounds(until: interruption.stop) }
    try await run.end(imageDisplay.outcome, display.outcome, after: interruption)
  }

  /// Makes the requests of an image's scene.
  ///
  /// - Parameters:
  ///   - interactor: The interactor of the scene.
  ///   - room: The room for a picture in the current window; nil when it is not drawn.
  ///   - stop: Stops the fetch of the original.
  private func show(
    _ interactor: any ShowImageBusinessLogic,
    in room: () -> PixelSize?,
    until stop: StopRequest
  ) async {
    if info { return await interactor.describeImage() }
    if newer {
      return await interactor.fetchNewer(
        request: .init(destination: exportDestination, room: room(), holdTime: holdTime)
      )
    }
    if thumbnail {
      return await interactor.fetchThumbnail(
        request: .init(isAllWanted: true, destination: exportDestination, room: room())
      )
    }
    await interactor.fetchThumbnail(request: .init(room: room()))
    await interactor.fetchOriginal(
      request: .init(
        mayAskNetwork: !offline,
        isRefresh: refresh,
        takesDamaged: force && output == nil,
        destination: exportDestination,
        room: room(),
        isOpened: open,
        holdTime: holdTime,
        stop: stop
      )
    )
  }

  /// An original whose path is printed, or that is opened, stays to the end of the command.
  private var holdTime: OriginalHoldTime { output == nil || open ? .untilEnd : .untilNext }

  private var exportDestination: ExportDestination? {
    if let outputFolder { return .folder(path: outputFolder, isReplacing: force) }
    return switch output {
    case nil: nil
    case "-": .standardOutput
    case .some(let path): .file(path: path, isReplacing: force)
    }
  }
}

struct TakeNewerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take-newer",
    abstract: "Replace stored pictures by the newer ones that are kept beside them.",
    usage: "gallery take-newer [<options>] <id> ...",
    discussion: """
      A server may send another picture than the stored one: a sign that the picture was deleted, or \
      a new version. When that is not sure, the stored picture stays, and the newer one is kept beside \
      it, also for a pinned image. A replaced original is kept for 90 days.

        gallery show 7 --newer
        gallery take-newer 7
      """
  )

  @Argument(
    help: ArgumentHelp("The ids of the images.", valueName: "id"),
    completion: LibraryCompletion.images,
    transform: ImageArgument.parse
  )
  var lists: [IDList]

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common)
    let (scene, display, imageDisplay) = run.showImages { await $0.takeNewer() }
    await scene.showImages(lists)
    try await run.end(imageDisplay.outcome, display.outcome)
  }
}

struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain what is stored of an image, and why.",
    usage: "gallery why [<options>] <id> ...",
    discussion: """
      Never uses the network. Shows the feed of the image and when it is asked next, why its thumbnail and its original are \
      stored or missing, and what would delete the original.

        gallery why 7
        gallery why 7 --json
      """
  )

  @Argument(
    help: ArgumentHelp("The ids of the images.", valueName: "id"),
    completion: LibraryCompletion.images,
    transform: ImageArgument.parse
  )
  var lists: [IDList]

  @OptionGroup var storage: StorageOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common, storage: storage)
    let (scene, display, imageDisplay) = run.showImages { await $0.explainImage() }
    await scene.showImages(lists)
    try await run.end(imageDisplay.outcome, display.outcome)
  }
}
