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

  package func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.ViewModel) {
    writeResult(viewModel.text)
    note(.done)
  }
}
