package import Scenes

/// What looking after a library finds, for scripts: a JSON object a line.
package final class CheckLibraryJSONDisplay: CommandDisplay, CheckLibraryRecordDisplayLogic {
  package func displayVerificationNote(
    viewModel: CheckLibrary.VerifyLibrary.Note.RecordViewModel
  ) {
    console.write(JSONLine.line(viewModel.record))
  }

  package func displayEndedVerification(
    viewModel: CheckLibrary.VerifyLibrary.Ended.RecordViewModel
  ) {
    console.write(JSONLine.line(viewModel.record))
    note(viewModel.outcome)
  }

  package func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayFailure(viewModel: CheckLibrary.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
