import Workers

/// What the interactor tells, whoever listens.
package protocol CheckLibraryPresentationLogic {
  func presentStartedVerification(response: CheckLibrary.VerifyLibrary.Started.Response)
  func presentVerificationNote(response: CheckLibrary.VerifyLibrary.Note.Response)
  func presentEndedVerification(response: CheckLibrary.VerifyLibrary.Ended.Response)
  func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response)
  func presentFailure(response: CheckLibrary.Fail.Response)
}

/// What a display for people shows.
package protocol CheckLibraryDisplayLogic {
  func displayStartedVerification(viewModel: CheckLibrary.VerifyLibrary.Started.ViewModel)
  func displayVerificationNote(viewModel: CheckLibrary.VerifyLibrary.Note.ViewModel)
  func displayEndedVerification(viewModel: CheckLibrary.VerifyLibrary.Ended.ViewModel)
  func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.ViewModel)
  func displayFailure(viewModel: CheckLibrary.Fail.ViewModel)
}

/// Turns what the interactor tells into finished text for people.
package struct CheckLibraryPresenter: CheckLibraryPresentationLogic {
  private let display: any CheckLibraryDisplayLogic

  package init(display: any CheckLibraryDisplayLogic) { self.display = display }

  package func presentStartedVerification(
    response: CheckLibrary.VerifyLibrary.Started.Response
  ) {
    let progress = response.progress
    display.displayStartedVerification(
      viewModel: .init { Wording.progressLine(progress.snapshot) }
    )
  }

  package func presentVerificationNote(response: CheckLibrary.VerifyLibrary.Note.Response) {
    guard let text = Wording.note(response.fact) else { return }
    display.displayVerificationNote(viewModel: .init(text: text))
  }

  package func presentEndedVerification(response: CheckLibrary.VerifyLibrary.Ended.Response) {
    display.displayEndedVerification(
      viewModel: .init(
        text: Wording.summary(response),
        outcome: response.counts.outcome
      )
    )
  }

  package func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response) {
    display.displayCleanedLibrary(viewModel: .init(text: Wording.cleaning(response)))
  }

  package func presentFailure(response: CheckLibrary.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }
}

extension VerificationCounts {
  /// Damage is told by the status even when it could be repaired: something was wrong.
  var outcome: Outcome { hasDamage ? .partly : .done }
}
