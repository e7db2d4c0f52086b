import ArgumentParser
import Foundation
import Scenes
import TestSupport
import Testing

@testable import gallery

/// Loads the completion scripts into real shells, and checks the manual page.
struct CompletionTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed)
  }

  private static func has(_ program: String) -> Bool {
    ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + program) }
  }

  @Test(arguments: [
    ("list --feed", "--feed", "", "1"), ("remove", "remove", "", "1"), ("show", "show", "3", "3"),
    ("show", "show", "", "1  Moon\n2  Sun\n3  Stars & \u{FFFD}[31mred"),
    ("--cache library list --feed", "--feed", "", "1"),
    ("--json --cache=library remove", "remove", "", "1"),
    ("--cache library", "library", "li", "list"), ("", "gallery", "--ca", "--cache"),
    ("list --feed", "--feed", "Ni", #"Night\ sky"#), ("remove", "remove", #"night\ s"#, ""),
    ("list --search", "--search", "m", "moon"), ("help", "help", "li", "list"),
    ("token", "token", "ad", "add"), ("serve", "serve", "--lis", "--listen"),
    ("serve", "serve", "--tls-", "--tls-cert\n--tls-key"),
    ("token add", "add", "--exp", "--expires"), ("token remove", "remove", "gu", "guest"),
    ("config show", "show", "li", "list"),
    ("sync", "sync", "fol", "folder/"), ("sync", "sync", "x", "x'$(touch made).xml"),
  ])
  func `bash completes feeds, ids and files, and runs none of their words`(
    words: String,
    before: String,
    current: String,
    offers: String
  ) throws {
    _ = try library.program.shell("gallery token add guest")
    _ = try library.program.shell("mkdir folder; touch \"x'\\$(touch made).xml\"")
    let script = """
      source <(gallery --generate-completion-script bash)
      cur=$1; shift
      COMP_WORDS=(gallery "$@" "$cur"); COMP_CWORD=$(($# + 1))
      COMP_LINE="gallery $* $cur"; COMP_POINT=${#COMP_LINE}
      _gallery gallery "$cur" "${@: -1}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try Data(script.utf8).write(to: URL(filePath: library.folder + "/complete.bash"))
    let quoted = ShellWord.quoted(current)
    let result = try library.program.shell("bash complete.bash \(quoted) \(words)")

    #expect(result.errors == "")
    #expect(result.output == offers + "\n")
    #expect(try library.program.shell("ls made 2>/dev/null").output == "")
  }

  /// Without a terminal, fish does not complete a line that calls a program (commandline(1)).
  @Test(.enabled(if: has("fish")))
  func `fish loads its script, and gets feeds and ids with their titles, and files`() throws {
    let loaded = try library.program.shell(
      "touch photos.xml; gallery --generate-completion-script fish > c.fish; fish -c 'source c.fish'"
    )
    func offers(_ words: String) throws -> String {
      try library.program.shell("SAP_SHELL=fish gallery ---completion \(words)").output
    }

    #expect(loaded == Program.Result(status: 0, output: "", errors: ""))
    #expect(try offers("list -- --feed 3 0 gallery list --feed ''") == "1\tNight sky\n")
    #expect(try offers("show -- positional@0 2 1 gallery show 2") == "2\tSun\n")
    #expect(try offers("list -- --feed 3 1 gallery list --feed n") == "Night sky\tfeed 1\n")
    #expect(
      try offers("list -- --search 3 1 gallery list --search s") == "stars\t1 image\nsun\t1 image\n"
    )
    #expect(try offers("token add -- --feed 4 0 gallery token add x --feed ''") == "1\tNight sky\n")
    let script = try library.program.shell("cat c.fish").output
    #expect(script.contains("-l 'sort' -d 'The order.' -rf\n"))
    #expect(script.contains("-l 'sort' -rfka 'newest oldest "))
    #expect(!script.contains(#/ -d '[^']*' -rfka '.+'\n/#))
    #expect(try offers("sync -- positional@0 2 2 gallery sync ph") == "photos.xml\n")
  }

  @Test(.enabled(if: has("zsh")))
  func `zsh loads its script, and gets ids with their titles`() throws {
    let load = """
      gallery --generate-completion-script zsh > _gallery
      zsh -fc 'autoload -Uz compinit && compinit -D -u && source ./_gallery && whence -w _gallery'
      """
    let loaded = try library.program.shell(load)
    let asked = try library.program.shell(
      "SAP_SHELL=zsh gallery ---completion show -- positional@0 2 0 gallery show ''"
    )

    #expect(loaded.errors == "")
    #expect(loaded.output == "_gallery: function\n")
    #expect(asked.output == "1:Moon\n2:Sun\n3:Stars & \u{FFFD}[31mred\n \n")
  }

  @Test func `quotes for each shell, and shows bash a meaning only beside others`() {
    let one = [LibraryCompletion.Offer(word: "a:b", meaning: "it's/so\u{1B}")]
    let two = one + [LibraryCompletion.Offer(word: "c")]

    #expect(LibraryCompletion.text(of: two, as: .zsh) == [#"a\:b:it's/so"# + "\u{FFFD}", "c"])
    #expect(LibraryCompletion.text(of: two, as: .fish) == ["a:b\tit's/so\u{FFFD}", "c"])
    #expect(LibraryCompletion.text(of: one, as: .bash) == ["a:b"])
    #expect(
      LibraryCompletion.text(of: two, as: .bash) == [#"'a:b  it'\''s∕so"# + "\u{FFFD}'", "c"]
    )
  }

  @Test(
    arguments: [
      (["gallery", "list"], nil), (["gallery", "list", "--cache", "'my lib'", ""], "my lib"),
      (["gallery", "list", "--cache=a\\ b", "x"], "a b"),
      (["gallery", "list", "--cache", "=", "lib"], "lib"), (["gallery", "list", "--cache"], nil),
    ] as [([String], String?)]
  )
  func `completes from the library that the line names`(words: [String], library: String?) {
    #expect(LibraryCompletion.library(words) == library)
  }

  @Test(arguments: UsageTests.allCommands)
  func `the manual page has a command, and each of its options in its section`(
    command: [String]
  ) throws {
    let manual = try Checkout.text(of: "Documentation/gallery.1")
    let sections = manual.replacing("\n.Sh ", with: "\0h ").replacing("\n.Ss ", with: "\0s ")
      .split(separator: "\0")
    let synopsis = try #require(sections.first { $0.hasPrefix("h SYNOPSIS") })
    let description = try #require(sections.first { $0.hasPrefix("h DESCRIPTION") })
    let section = try #require(
      sections.first { section in
        section.hasPrefix("s ")
          && section.dropFirst(2).prefix { $0 != "\n" }.split(separator: ", ")
            .contains { $0 == "gallery \(command[0])" }
      }
    )
    let isNamed = synopsis.split(separator: "\n").contains { line in
      line.hasPrefix(".Cm ")
        && (line.hasSuffix(" " + command.joined(separator: " "))
          || line.split(separator: " ").contains { $0 == command[0] } && command.count == 1)
    }
    #expect(isNamed, "the synopsis lacks \(command)")
    // Options that several commands share are described once, with the commands that have them.
    let shared = try #require(description.firstRange(of: "The commands that store originals"))
    let common = description[..<shared.lowerBound]
    let stored = description[shared.lowerBound...]
    for option in try UsageTests.options(of: command, library.program) {
      let flag = "Fl -\(option)"
      let isShared = stored.contains(flag) && stored.contains(command[0])
      #expect(section.contains(flag) || common.contains(flag) || isShared, "\(option)")
    }
  }

  @Test(arguments: UsageTests.allCommands)
  func `the synopsis of the manual page has each option of a command, or says that there are some`(
    command: [String]
  ) throws {
    let manual = try Checkout.text(of: "Documentation/gallery.1")
    let parts = manual.split(separator: "\n.Sh ")
    let synopsis = try #require(parts.first { $0.hasPrefix("SYNOPSIS") })
    let name = command.joined(separator: " ")
    let forms = synopsis.split(separator: "\n.Nm\n").filter { form in
      let words = form.prefix { $0 != "\n" }.dropFirst(".Cm ".count)
      return words == name || words.split(separator: " | ").contains { $0 == name }
    }
    #expect(!forms.isEmpty)
    let form = forms.joined(separator: "\n") + "\n"
    if form.contains(".Op Ar options") { return }
    let common: Set<String> = ["cache", "color", "help", "json", "quiet", "verbose", "version"]
    for option in try UsageTests.options(of: command, library.program).subtracting(common) {
      let isThere = form.contains("Fl -\(option) ") || form.contains("Fl -\(option)\n")
      #expect(isThere, "--\(option) is not in the synopsis of \(name)")
    }
  }

  @Test(.enabled(if: has("mandoc")))
  func `mandoc has nothing to say of the manual page`() throws {
    let page = Checkout.folder.appending(path: "Documentation/gallery.1").path
    let result = try library.program.shell("mandoc -Tlint -W warning '\(page)'")

    #expect(result == Program.Result(status: 0, output: "", errors: ""))
  }
}
