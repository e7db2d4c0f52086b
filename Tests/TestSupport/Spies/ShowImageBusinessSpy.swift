package import Scenes
package import Workers

/// Records the requests to ShowImage.
package final class ShowImageBusinessSpy: ShowImageBusinessLogic {
  package enum Event: Equatable {
    case fetchThumbnail(isAllWanted: Bool, destination: ExportDestination?)
    case fetchOriginal(mayAskNetwork: Bool, destination: ExportDestination?)
    case describeImage
    case explainImage
    case pinImage(isPinned: Bool)
    case readThumbnail
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async {
    events.append(
      .fetchThumbnail(isAllWanted: request.isAllWanted, destination: request.destination)
    )
  }

  package func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    events.append(
      .fetchOriginal(mayAskNetwork: request.mayAskNetwork, destination: request.destination)
    )
  }

  package func explainImage() { events.append(.explainImage) }

  package func describeImage() async { events.append(.describeImage) }

  package func pinImage(request: ShowImage.PinImage.Request) async {
    events.append(.pinImage(isPinned: request.isPinned))
  }

  package func readThumbnail() async { events.append(.readThumbnail) }
}
