package import Workers

/// The scene that lists feeds and removes one: its wiring; it leads nowhere.
package struct ListFeedsScene {
  package let interactor: any ListFeedsBusinessLogic

  package init(
    presenter: any ListFeedsPresentationLogic,
    library: any LibraryReading,
    remover: any FeedRemoving
  ) {
    interactor = ListFeedsInteractor(presenter: presenter, library: library, remover: remover)
  }
}
