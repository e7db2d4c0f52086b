package import Scenes

/// The result of an export of files for people: a line, and one for each of some files that are left alone.
package final class ExportFilesTextDisplay: CommandDisplay, ExportFilesDisplayLogic {
  package func displayFields(viewModel: ExportFiles.ListFields.ViewModel) {
    let width = viewModel.fields.map(\.name.count).max() ?? 0
    for field in viewModel.fields {
      let blanks = String(repeating: " ", count: width - field.name.count + 2)
      console.writeSentence(field.name + blanks + field.meaning)
    }
    note(.done)
  }

  package func displayExportProgress(viewModel: ExportFiles.Export.Progress.ViewModel) {
    console.drawStatus(viewModel.line)
  }

  package func displayPlannedFile(viewModel: ExportFiles.Export.Planned.ViewModel) {
    console.writeLine(HarmlessText.line(viewModel.path))
  }

  package func displayLeftFile(viewModel: ExportFiles.Export.Left.ViewModel) {
    console.say(viewModel.text.commandLine, style: .problem)
  }

  package func displayExportedFiles(viewModel: ExportFiles.Export.Ended.ViewModel) {
    console.endStatus()
    writeResult(viewModel.text)
    note(viewModel.outcome)
  }
}
