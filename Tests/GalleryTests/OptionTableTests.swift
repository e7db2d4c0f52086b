import ArgumentParser
import Foundation
import Settings
import TestSupport
import Testing

@testable import gallery

struct OptionTableTests {
  @Test
  func `the table of options has what the commands declare`() throws {
    let declared = try CommandCatalog(Data(GalleryCommand._dumpHelp().utf8)).table
    guard declared != GalleryCommand.optionTable else { return }

    let lines = declared.split(separator: "\n").map { "    " + $0 + "\n" }.joined()
    let file = URL.temporaryDirectory.appending(path: "OptionTable.swift")
    try Data((Self.beginning + lines + "\n    \"\"\"#\n}\n").utf8).write(to: file)
    Issue.record("the options changed: copy '\(file.path)' to Sources/gallery/Start")
  }

  private static let beginning = """
    extension GalleryCommand {
      /// The options of every command, in the form of `CommandCatalog.table`.
      ///
      /// A test compares it with the commands. When they change, the test writes a new file, and says where.
      static let optionTable = #\"""

    """

  @Test
  func `a catalog is the same after it was written as a table`() throws {
    let catalog = try CommandCatalog(Data(GalleryCommand._dumpHelp().utf8))
    let read = CommandCatalog(table: catalog.table)

    #expect(read.commands.map(\.name) == catalog.commands.map(\.name))
    #expect(read.commands.map(\.options) == catalog.commands.map(\.options))
    #expect(read.table == catalog.table)
  }

  @Test
  func `a table's line with an empty default has none`() throws {
    let table = "list\n\tlimit\tn\t\t20\tLines.\nsync\ta\n\tlimit\tn\t\t\tFeeds.\n"
    let catalog = CommandCatalog(table: table)

    #expect(catalog.commands.map(\.path) == [["list"], ["sync"]])
    #expect(catalog.table == table)
    #expect(catalog.commands[0].options.map(\.standard) == ["20"])
    #expect(catalog.commands[1].options.map(\.standard) == [nil])
  }
}
