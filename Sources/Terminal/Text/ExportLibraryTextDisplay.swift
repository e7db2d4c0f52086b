package import Scenes

/// The result of an export for people: a line, and one for each original that is left out.
package final class ExportLibraryTextDisplay: CommandDisplay, ExportLibraryDisplayLogic {
  package func displayExportProgress(viewModel: ExportLibrary.ExportSite.Progress.ViewModel) {
    console.drawStatus(viewModel.line)
  }

  package func displayDamagedOriginal(viewModel: ExportLibrary.ExportSite.Damaged.ViewModel) {
    console.say(viewModel.text.commandLine, style: .problem)
  }

  package func displayExportedSite(viewModel: ExportLibrary.ExportSite.Ended.ViewModel) {
    console.endStatus()
    writeResult(viewModel.text)
    note(viewModel.outcome)
  }
}
