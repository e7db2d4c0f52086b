package import Scenes

/// The results of checking a library for people: a line for each finding, and a summary.
package final class CheckLibraryTextDisplay: CommandDisplay, CheckLibraryDisplayLogic {
  package func displayDescribedLibrary(viewModel: CheckLibrary.DescribeLibrary.ViewModel) {
    writeFields(viewModel.fields)
  }

  package func displayDescribedNodes(viewModel: CheckLibrary.DescribeNodes.ViewModel) {
    for line in viewModel.lines { console.writeSentence(line) }
    note(.done)
  }

  package func displayVerificationProgress(
    viewModel: CheckLibrary.VerifyLibrary.Progress.ViewModel
  ) {
    console.drawStatus(viewModel.line)
  }

  package func displayVerificationNote(viewModel: CheckLibrary.VerifyLibrary.Note.ViewModel) {
    console.writeSentence(viewModel.text.commandLine)
  }

  package func displayEndedVerification(viewModel: CheckLibrary.VerifyLibrary.Ended.ViewModel) {
    console.endStatus()
    writeResult(viewModel.text)
    note(viewModel.outcome)
  }

  package func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.ViewModel) {
    writeResult(viewModel.text)
    note(.done)
  }
}
