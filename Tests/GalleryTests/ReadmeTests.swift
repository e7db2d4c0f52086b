import Foundation
import Testing

/// The README's session and commands do what it says.
struct ReadmeTests {
  @Test func `every gallery command of the README runs, one after another`() throws {
    let site = try PhotoSite()
    let library = try TestLibrary()
    let commands = try self.commands(in: "README.md")
    try #require(commands.count >= 8)

    for command in commands {
      // The site of the test is on this machine, where a list on the disk leads nobody by itself.
      let line = command.replacing("https://example.com/photos.xml", with: site.feed)
        .replacing("other feeds.opml", with: "other --allow-private feeds.opml")
      let result = try library.program.shell(line)
      #expect(result.status == 0, "\(command): \(result.errors)")
    }
  }

  @Test func `every script that the README names is there and may be run`() throws {
    let readme = try Checkout.text(of: "README.md")
    let scripts = Set(readme.matches(of: /Scripts\/[a-z]+/).map { String($0.output) })

    #expect(scripts.isSuperset(of: ["Scripts/demo", "Scripts/test", "Scripts/install"]))
    for script in scripts {
      let path = Checkout.folder.appending(path: script).path
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(script)")
    }
  }

  @Test func `every option of the help texts is in the README`() throws {
    let library = try TestLibrary()
    let readme = try Checkout.text(of: "README.md")
    for command in UsageTests.commands {
      let help = try library.program.run("help", command).output
      for option in help.matches(of: /--[a-z][a-z-]+/).map({ String($0.output) })
      where !["--help", "--version"].contains(option) {
        #expect(readme.contains(option), "\(option) of \(command)")
      }
    }
  }

  /// The lines that begin with a prompt, in code blocks of a shell session.
  private func commands(in file: String) throws -> [String] {
    try Checkout.text(of: file).split(separator: "\n")
      .filter { $0.hasPrefix("$ ") && $0.contains("gallery") }
      .map { String($0.dropFirst(2)) }
  }
}
