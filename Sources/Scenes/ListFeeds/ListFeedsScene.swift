package import Workers

/// The scene that lists feeds, names one and removes one: its wiring; it leads nowhere.
package struct ListFeedsScene {
  package let interactor: any ListFeedsBusinessLogic

  package init(
    presenter: any ListFeedsPresentationLogic,
    library: any LibraryReading,
    manager: any FeedManaging
  ) {
    interactor = ListFeedsInteractor(presenter: presenter, library: library, manager: manager)
  }
}
