package import Scenes

/// Notes what the interactor of CheckLibrary tells.
package final class CheckLibraryPresentationSpy: CheckLibraryPresentationLogic {
  package enum Event: Equatable {
    case started
    case note(CheckLibrary.VerifyLibrary.Note.Response)
    case ended(CheckLibrary.VerifyLibrary.Ended.Response)
    case cleaned(CheckLibrary.CleanLibrary.Response)
    case failure(CheckLibrary.Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentStartedVerification(
    response: CheckLibrary.VerifyLibrary.Started.Response
  ) {
    events.append(.started)
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

  package func presentFailure(response: CheckLibrary.Fail.Response) {
    events.append(.failure(response))
  }
}
