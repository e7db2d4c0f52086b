import Models
import Workers

/// The responses that the interactor presents.
package protocol CheckLibraryPresentationLogic: RunPresentationLogic<CheckLibrary.VerifyLibrary> {
  func presentDescribedLibrary(response: CheckLibrary.DescribeLibrary.Response)
  func presentDescribedNodes(response: CheckLibrary.DescribeNodes.Response)
  func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response)
}

/// A display for people.
package protocol CheckLibraryDisplayLogic: RunDisplayLogic {
  func displayDescribedLibrary(viewModel: CheckLibrary.DescribeLibrary.ViewModel)
  func displayDescribedNodes(viewModel: CheckLibrary.DescribeNodes.ViewModel)
  func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.ViewModel)
}

/// Makes text for people.
package struct CheckLibraryPresenter: CheckLibraryPresentationLogic, RunTextPresentation {
  private let display: any CheckLibraryDisplayLogic
  package var runDisplay: any RunDisplayLogic { display }

  package init(display: any CheckLibraryDisplayLogic) { self.display = display }

  package func presentDescribedLibrary(response: CheckLibrary.DescribeLibrary.Response) {
    display.displayDescribedLibrary(viewModel: .init(fields: Wording.description(response)))
  }

  package func presentDescribedNodes(response: CheckLibrary.DescribeNodes.Response) {
    display.displayDescribedNodes(viewModel: .init(lines: Wording.lines(response.nodes)))
  }

  package func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response) {
    display.displayCleanedLibrary(viewModel: .init(text: Wording.cleaning(response)))
  }
}

extension CheckLibrary.DescribeLibrary.Response {
  /// The percentage of images that can be viewed without a network, rounded down; nil without images.
  var readiness: Int? {
    guard figures.images > 0 else { return nil }
    return min(figures.thumbnails, figures.images) * 100 / figures.images
  }
}

/// The numbers of feeds in each state.
struct FeedCounts {
  var all: Int
  /// Feeds whose last sync failed, without paused ones.
  var failed: Int
  /// Feeds whose server answered that they are gone.
  var paused: Int
  /// Feeds that have not been synced yet.
  var new: Int
  /// The stored pictures that a check found damaged.
  var damaged: Int

  init(_ feeds: [Feed]) {
    all = feeds.count
    paused = feeds.count { $0.isPaused }
    failed = feeds.count { !$0.isPaused && $0.status == .failed }
    new = feeds.count { $0.lastSync == nil }
    damaged = feeds.reduce(0) { $0 + $1.damagedCount }
  }
}
