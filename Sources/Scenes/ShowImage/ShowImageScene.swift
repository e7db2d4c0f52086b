package import Workers

/// The scene that shows one image: its wiring.
package struct ShowImageScene {
  package let interactor: any ShowImageBusinessLogic
  package var router: any ShowImageDataPassing

  package init(
    presenter: any ShowImagePresentationLogic,
    library: any LibraryReading & OriginalReading,
    originalWorker: any OriginalFetching,
    exporter: any PictureExporting,
    opener: any PictureOpening,
    decoder: any ImageDecoding,
    marker: any DamageMarking
  ) {
    let interactor = ShowImageInteractor(
      presenter: presenter,
      library: library,
      originalWorker: originalWorker,
      exporter: exporter,
      opener: opener,
      decoder: decoder,
      marker: marker
    )
    self.init(interactor: interactor, router: ShowImageRouter(dataStore: interactor))
  }

  /// Takes the parts as they are.
  package init(interactor: any ShowImageBusinessLogic, router: any ShowImageDataPassing) {
    self.interactor = interactor
    self.router = router
  }
}
