import Composition
import Foundation
import TestSupport
import Testing

/// README and the pages of `Documentation` describe the real program.
struct DocumentationTests {
  @Test func `there are a README and pages`() {
    let names = Set(DocumentationPage.all.filter { !$0.text.isEmpty }.map(\.path))
    #expect(
      names.isSuperset(of: [
        "README.md", "CONTRIBUTING.md", "Documentation/Commands.md", "Documentation/JSON.md",
      ])
    )
    let readme = DocumentationPage.all.first { $0.path == "README.md" }
    #expect(readme?.commands.count ?? 0 >= 8)
  }

  /// The commands run in order, and each page has its own library.
  @Test(arguments: DocumentationPage.all)
  func `the commands of a page print what it shows`(page: DocumentationPage) throws {
    let site = try DocumentedSite()
    let library = try TestLibrary()
    for command in page.commands {
      let line = site.localized(command.line)
        .replacing("~/.local/share/gallery", with: "'\(library.path)'")
      // The comment is for readers, and may follow a pipe.
      let result = try library.program.shell("exec 2>&1\n\(line)\n")
      let output = site.delocalized(result.output)
        .replacing(library.path, with: "/home/me/.local/share/gallery")
        .replacing(library.folder, with: "/home/me")
      #expect(result.status == command.status, "\(command.line)\n\(output)")
      #expect(
        command.isMatched(by: output),
        "\(command.line)\nshown:\n\(command.shown.joined(separator: "\n"))\nprinted:\n\(output)"
      )
    }
  }

  @Test(arguments: [
    ("one\n", true), ("one\ntwo 3 B\nthree\n", true), ("one\ntwo 7.5 MiB\nmore\nthree\n", true),
    ("", false), ("one\nthree\n", false), ("one\ntwo 3 B\n", false),
    ("one\ntwo 3 s\nthree\n", false),
    ("One\n", false), ("one\ntwo 3 B\nthree\nfour\n", false),
  ])
  func `what a page shows is held against every line`(output: String, isRight: Bool) throws {
    let short = try #require(DocumentedCommand.all(in: ["$ x", "one"]).first)
    let long = try #require(
      DocumentedCommand.all(in: ["$ x", "o…e", "two 1 B", "…", "three"]).first
    )

    #expect((short.isMatched(by: output) || long.isMatched(by: output)) == isRight)
  }

  @Test(arguments: [
    ("4 B in 0.3 s\n", true), ("4 KiB in 12 s\n", true), ("4.2 MiB in 1 min 5 s\n", true),
    ("4 B\n", false), ("4 B in 3 images\n", false),
  ])
  func `a page shows the size and the time of any run, and no progress of a slow one`(
    printed: String,
    isRight: Bool
  ) throws {
    let shown = try #require(DocumentedCommand.all(in: ["$ x", "done; 184 KiB in 0.2 s"]).first)
    let progress = #"{"event":"progress","feeds":{"done":0,"total":1}}"#

    #expect(shown.isMatched(by: "done; \(printed)") == isRight)
    #expect(shown.isMatched(by: "\(progress)\ndone; \(printed)") == isRight)
  }

  @Test(arguments: DocumentationPage.all)
  func `a page shows no command that is not run`(page: DocumentationPage) {
    for (language, lines) in page.blocks {
      if language == "console" {
        #expect(lines.first?.hasPrefix("$ ") == true, "\(lines.first ?? "")")
      } else if page.path != "Documentation/Install.md" || language != "sh" {
        // `Scripts/packages` runs the commands of that page.
        #expect(!lines.contains { $0.contains(/^(?:\$ )?gallery\b[^-]/) }, "\(lines)")
      }
    }
  }

  @Test(arguments: DocumentationPage.withLinks)
  func `each link leads to a file and a heading that are there`(page: DocumentationPage) {
    for (path, anchor) in page.fileLinks {
      let file = Checkout.folder.appending(path: path).path
      #expect(FileManager.default.fileExists(atPath: file), "\(path)")
      guard let anchor else { continue }
      #expect(DocumentationPage(path).anchors.contains(anchor), "\(path)#\(anchor)")
    }
  }

  /// Every path and name on these pages must still exist in the code.
  @Test(arguments: DocumentationPage.aboutCode)
  func `each path and each name on a page about the code is there`(page: DocumentationPage) throws {
    for path in page.paths {
      let file = Checkout.folder.appending(path: path).path
      #expect(FileManager.default.fileExists(atPath: file), "\(path)")
    }
    #expect(try page.names.subtracting(Checkout.wordsInCode(page.names)) == [])
  }

  @Test func `the changes begin with those of this version`() throws {
    let changes = try Checkout.text(of: "CHANGELOG.md")
    let heading = try #require(changes.firstMatch(of: /(?m)^## (.+)$/)).1

    #expect(heading == "v\(Version.current)" || heading.hasPrefix("v\(Version.current) "))
  }

  @Test func `every script that pages name is there and may be run`() {
    let text = DocumentationPage.withLinks.map(\.text).joined(separator: "\n")
    let scripts = Set(text.matches(of: /Scripts\/[a-z]+\b(?!-)/).map { String($0.output) })

    #expect(scripts.isSuperset(of: ["Scripts/demo", "Scripts/test", "Scripts/install"]))
    for script in scripts {
      let path = Checkout.folder.appending(path: script).path
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(script)")
    }
  }

  @Test func `the page of commands has the options of the help texts, and no others`() throws {
    let library = try TestLibrary()
    let page = try Checkout.text(of: "Documentation/Commands.md")
    var known: Set<String> = ["--help", "--version"]
    for command in UsageTests.commands.map({ [$0] }) + [["feeds", "set"], ["config", "show"]] {
      let help = try library.program.finish(library.program.start(["help"] + command)).output
      let options = help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
      for option in options { #expect(page.contains(option), "\(option) of \(command)") }
      known.formUnion(options)
    }
    for command in UsageTests.commands {
      let headings = ["\n## gallery \(command)\n", "\n## gallery pin\n"]
      let heading = command == "unpin" ? headings[1] : headings[0]
      let start = try #require(page.firstRange(of: heading), "\(command)")
      let section = page[start.upperBound...].split(separator: "\n## ").first ?? ""
      let shared = page[
        ..<(page.firstRange(of: "\n## gallery sync")?.lowerBound ?? page.startIndex)
      ]
      for option in try UsageTests.options(of: [command], library.program) where option != "version"
      {
        let isThere = section.contains("--\(option)") || shared.contains("--\(option)")
        #expect(isThere, "\(option) of \(command)")
      }
    }
    let named = Set(page.matches(of: /[\s`(](--[a-z][a-z-]+)/).map { String($0.1) })
    #expect(named.subtracting(known) == [])
  }
}
