import Scenes
import Workers

/// Goes to an image in a command: shows it now, as the command's options say.
struct ShowNavigation: ListImagesNavigation {
  let command: ShowCommand
  /// The pixels that a picture has room for in the window as it is; nil when none is drawn.
  let room: () -> PixelBox?
  let stop: StopRequest
  let makeScene: () -> ShowImageScene

  func makeShowImageScene() -> ShowImageScene { makeScene() }

  func navigateToShowImage(_ destination: ShowImageScene) async {
    let interactor = destination.interactor
    if command.info { return interactor.describeImage() }
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
    switch command.output {
    case nil: nil
    case "-": .standardOutput
    case .some(let path): .file(path: path, isReplacing: command.force)
    }
  }
}
