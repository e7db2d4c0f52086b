package import Scenes

/// Records what the interactor of CheckLibrary presents.
package final class CheckLibraryPresentationSpy: CheckLibraryPresentationLogic {
  package enum Event: Equatable {
    case described(CheckLibrary.DescribeLibrary.Response)
    case nodes(CheckLibrary.DescribeNodes.Response)
    case progress(CheckLibrary.VerifyLibrary.Progress.Response)
    case note(CheckLibrary.VerifyLibrary.Note.Response)
    case ended(CheckLibrary.VerifyLibrary.Ended.Response)
    case cleaned(CheckLibrary.CleanLibrary.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentDescribedLibrary(response: CheckLibrary.DescribeLibrary.Response) {
    events.append(.described(response))
  }

  package func presentDescribedNodes(response: CheckLibrary.DescribeNodes.Response) {
    events.append(.nodes(response))
  }

  package func presentVerificationProgress(
    response: CheckLibrary.VerifyLibrary.Progress.Response
  ) {
    events.append(.progress(response))
  }

  package func presentVerificationNote(response: CheckLibrary.VerifyLibrary.Note.Response) {
    events.append(.note(response))
  }

  package func presentEndedVerification(response: CheckLibrary.VerifyLibrary.Ended.Response) {
    events.append(.ended(response))
  }

  package func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response) {
    events.append(.cleaned(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}
