package import Workers

/// The scene that looks after what is stored: its wiring; it leads nowhere.
package struct CheckLibraryScene {
  package let interactor: any CheckLibraryBusinessLogic

  package init(
    presenter: any CheckLibraryPresentationLogic,
    library: any LibraryReading,
    verifier: any LibraryVerifying,
    cleaner: any LibraryCleaning
  ) {
    interactor = CheckLibraryInteractor(
      presenter: presenter,
      library: library,
      verifier: verifier,
      cleaner: cleaner
    )
  }
}
