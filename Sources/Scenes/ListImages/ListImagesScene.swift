package import Workers

/// The scene that syncs feeds, lists images and selects one: its wiring.
///
/// Without a view hierarchy nothing owns a scene but whoever asks it, so nothing is `weak` and
/// nothing is set later: display ← presenter ← interactor ← router, each by initialiser. This is
/// the one deviation from Clean Swift as it is known from UIKit, and it holds for every scene here.
/// The objects of a scene stay in the task that made them; workers may be shared.
package struct ListImagesScene {
  package let interactor: any ListImagesBusinessLogic
  package let router: any ListImagesRoutingLogic & ListImagesDataPassing

  package init(
    presenter: any ListImagesPresentationLogic,
    navigation: any ListImagesNavigation,
    library: any LibraryReading,
    syncWorker: any Syncing,
    decoder: any ImageDecoding
  ) {
    let interactor = ListImagesInteractor(
      presenter: presenter,
      library: library,
      syncWorker: syncWorker,
      decoder: decoder
    )
    self.interactor = interactor
    router = ListImagesRouter(dataStore: interactor, navigation: navigation)
  }
}
