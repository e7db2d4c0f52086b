package import Scenes

/// The results of checking a library for people: a line for each finding, and a summary.
package final class CheckLibraryTextDisplay: CommandDisplay, CheckLibraryDisplayLogic {
  package func displayStartedVerification(
    viewModel: CheckLibrary.VerifyLibrary.Started.ViewModel
  ) {
    let sample = viewModel.sample
    console.beginStatus {
      let line = sample()
      return StatusLine.Content(line)
    }
  }

  package func displayVerificationNote(viewModel: CheckLibrary.VerifyLibrary.Note.ViewModel) {
    console.writeSentence(viewModel.text)
  }

  package func displayEndedVerification(viewModel: CheckLibrary.VerifyLibrary.Ended.ViewModel) {
    console.endStatus()
    if !console.options.isQuiet { console.writeSentence(viewModel.text) }
    note(viewModel.outcome)
  }

  package func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.ViewModel) {
    if !console.options.isQuiet { console.writeSentence(viewModel.text) }
    note(.done)
  }

  package func displayFailure(viewModel: CheckLibrary.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
