package import Scenes

/// The results of checking a library for people: a line for each finding, and a summary.
package struct CheckLibraryTextDisplay: CommandDisplay, CheckLibraryDisplayLogic {
  package let command: CommandConsole

  package init(console: Console) { command = CommandConsole(console) }

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

/// The result of an export of files for people: a summary, and a line for each of the first untouched files.
package struct ExportFilesTextDisplay: CommandDisplay, ExportFilesDisplayLogic {
  package let command: CommandConsole

  package init(console: Console) { command = CommandConsole(console) }

  package func displayFields(viewModel: ExportFiles.ListFields.ViewModel) {
    let width = viewModel.fields.map(\.name.count).max() ?? 0
    for field in viewModel.fields {
      let blanks = String(repeating: " ", count: width - field.name.count + 2)
      console.writeSentence(field.name + blanks + field.value)
    }
    note(.done)
  }
}
