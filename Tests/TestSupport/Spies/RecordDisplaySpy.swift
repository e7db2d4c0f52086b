package import Scenes

/// Records the output of all scenes for scripts.
package final class RecordDisplaySpy: ListImagesRecordDisplayLogic, SyncFeedsRecordDisplayLogic {
  package enum Event: Equatable {
    case records(RecordViewModel)
    case images(ListImages.FetchImages.RecordViewModel)
    case endedFetch(ListImages.FetchImages.Ended.ViewModel)
    case syncProblem(SyncFeeds.Problem.ViewModel)
    case syncNotice(SyncFeeds.Notice.ViewModel)
    case endedSync(SyncFeeds.Ended.ViewModel)
    case failure(Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  /// All records, in order.
  package var records: [Record] {
    events.flatMap { event -> [Record] in
      if case .records(let viewModel) = event { viewModel.records } else { [] }
    }
  }

  package init() {}

  package func displayRecords(viewModel: RecordViewModel) { events.append(.records(viewModel)) }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    events.append(.images(viewModel))
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    events.append(.endedFetch(viewModel))
  }

  package func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    events.append(.syncProblem(viewModel))
  }

  package func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {
    events.append(.syncNotice(viewModel))
  }

  package func displaySyncProgress(viewModel: RecordViewModel) {
    events.append(.records(viewModel))
  }

  package func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {
    events.append(.endedSync(viewModel))
  }

  package func displayFailure(viewModel: Fail.ViewModel) { events.append(.failure(viewModel)) }
}

extension Record {
  /// The value of a member; nil if no member has this name.
  package func value(_ name: String) -> Value? { members.first { $0.name == name }?.value }
}
