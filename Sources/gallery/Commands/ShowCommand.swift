import ArgumentParser
import Composition
import Foundation
import Glibc
import Scenes
import Settings
import Terminal
import Workers

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show images: the thumbnail at once, then the original, fetched when needed.",
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

      An original whose file is damaged is fetched again; when that fails, nothing is printed and \
      the status is 4. With --force and without --output its path is printed all the same, with a \
      warning and status 2.
      """
  )

  @Argument(
    help: ArgumentHelp("The ids of images, as 'gallery list' prints them.", valueName: "id"),
    completion: LibraryCompletion.images
  )
  var ids: [Int64]

  @Option(
    name: .shortAndLong,
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

  @Flag(help: "Show what is stored; never asks the network.")
  var offline = false

  @Flag(help: "Ask the server whether a stored original has changed.")
  var refresh = false

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
      (common.json, "json"), (info, "info"), (thumbnail, "thumbnail"), (output == "-", "output -"),
    ] where open && isGiven {
      throw ValidationError("--open and --\(option) exclude each other")
    }
    if output == "-", common.json {
      throw ValidationError("--json and --output - exclude each other")
    }
  }

  /// The folder that --output names; nil for a file.
  fileprivate var outputFolder: String? {
    guard let output else { return nil }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    guard output.hasSuffix("/") || isThere && isFolder.boolValue else { return nil }
    let path = String(output.reversed().drop { $0 == "/" }.reversed())
    return path.isEmpty ? "/" : path
  }

  func run() async throws {
    let asks = !offline && !info
    let run = CommandRun(
      common,
      network: network,
      feeds: asks ? try .ofUser() : .init(),
      storage: storage
    )
    let interruption = Interruption()
    let drawing = info || output == "-" ? nil : run.drawing(pictures.pictures)
    let (makeScene, shown) = run.showImage(drawing: drawing)
    let navigation = ShowNavigation(
      command: self,
      room: { drawing?.makeArea().room.box },
      stop: interruption.stop,
      makeScene: makeScene
    )
    let (scene, display) = run.listImages(navigation: navigation)
    for id in ids where !interruption.isReceived {
      await scene.interactor.selectImage(request: .init(id: id))
      guard scene.router.dataStore.selectedImage != nil else { continue }
      await scene.router.routeToShowImage()
    }
    try await run.end(shown.outcome, display.outcome, after: interruption)
  }
}

/// Shows an image at once, as the options of the command say.
private struct ShowNavigation: ListImagesNavigation {
  let command: ShowCommand
  /// The room for a picture in the current window; nil when none is drawn.
  let room: () -> PixelBox?
  let stop: StopRequest
  let makeScene: () -> ShowImageScene

  func makeShowImageScene() -> ShowImageScene { makeScene() }

  func navigateToShowImage(_ destination: ShowImageScene) async {
    let interactor = destination.interactor
    if command.info { return await interactor.describeImage() }
    if command.thumbnail {
      return await interactor.fetchThumbnail(
        request: .init(isAllWanted: true, destination: exportDestination, room: room())
      )
    }
    await interactor.fetchThumbnail(request: .init(room: room()))
    await interactor.fetchOriginal(
      request: .init(
        mayAskNetwork: !command.offline,
        isRefresh: command.refresh,
        takesDamaged: command.force && command.output == nil,
        destination: exportDestination,
        room: room(),
        isOpened: command.open,
        stop: stop
      )
    )
  }

  private var exportDestination: ExportDestination? {
    if let folder = command.outputFolder {
      return .folder(path: folder, isReplacing: command.force)
    }
    return switch command.output {
    case nil: nil
    case "-": .standardOutput
    case .some(let path): .file(path: path, isReplacing: command.force)
    }
  }
}
