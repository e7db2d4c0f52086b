package import Scenes

/// The result of copying a library for people: a line, and one for each thing that is not copied.
package final class MoveLibraryTextDisplay: CommandDisplay, MoveLibraryDisplayLogic {
  package func displayMoveProgress(viewModel: MoveLibrary.Move.Progress.ViewModel) {
    console.drawStatus(viewModel.line)
  }

  package func displayMoveNote(viewModel: MoveLibrary.Move.Note.ViewModel) {
    console.writeSentence(viewModel.text.commandLine)
  }

  package func displayMovedLibrary(viewModel: MoveLibrary.Move.Ended.ViewModel) {
    console.endStatus()
    writeResult(viewModel.text)
    note(viewModel.outcome)
  }
}
