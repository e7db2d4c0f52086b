import Foundation
import Glibc
import TestSupport
import Testing
import Threading

/// The program notifies other programs of new images.
struct NewImageTests {
  private let site: PhotoSite
  private let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `a command reads the new images as lines, and those alone`() throws {
    let command = "cat >> lines; echo ran >> runs"
    let first = try library.program.run("sync", site.feed, "--exec", command)
    let again = try library.program.run("sync", "--exec", command)

    #expect(first.status == 0 && again.status == 0)
    #expect(try library.program.shell("cat runs").output == "ran\n")
    let listed = try library.program.run("list", "--json", "--sort", "feed").output
    let lines = try library.program.shell("cat lines").output
    let records = listed.replacing(/,"pageURL":[^\n]*/, with: "}")
    #expect(Set(lines.split(separator: "\n")) == Set(records.split(separator: "\n")))
  }

  @Test func `a command that fails is named, and the images are stored`() throws {
    let result = try library.program.run("sync", site.feed, "--exec", "exit 3")

    #expect(result.errors.contains("could not be announced: the command ended with status 3"))
    #expect(result.status == 2)
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
    #expect(try library.program.run("sync", "--exec", "exit 3").status == 0, "nothing is new")
  }

  @Test(arguments: ["", "trap '' INT TERM; ", "cat > read; "])
  func `a command that does not end is ended with the sync`(beginning: String) throws {
    let command = "\(beginning)echo $$ >&2; sleep 7200; echo late > ran"
    let running = try library.program.start(["sync", site.feed, "--exec", command])
    let told = running.waitForError("\n")
    kill(running.process.identifier, SIGINT)
    let result = try library.program.finish(running)

    // The sync itself may have ended before.
    #expect([2, 128 + SIGINT].contains(result.status))
    #expect(result.errors.contains("could not be announced: the command was ended by signal"))
    let shell = try #require(Int32(told.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(shell, 0) == -1 && errno == ESRCH)
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `a command may leave another one behind, with the images that it has not read`() throws
  {
    let command = "exec 3<&0 >&- 2>&-; sleep 7200 & echo $! > left"
    let result = try library.program.run("sync", site.feed, "--exec", command)
    _ = try library.program.shell("kill $(cat left)")

    #expect(result.status == 0, "\(result)")
  }

  @Test func `a command that the settings set is left out for once`() throws {
    _ = try library.program.shell(
      "mkdir -p .config/gallery; echo 'exec = \"touch ran; exit 3\"' > .config/gallery/config.toml"
    )
    let without = try library.program.run("sync", site.feed, "--no-exec")
    let nothing = try library.program.shell("gallery list --no-limit | wc -l; ls ran")
    site.set(
      "/b.json",
      .init(type: "application/json", body: Array(#"[{"url":"/moon.jpg"}]"#.utf8))
    )
    let with = try library.program.run("sync", site.address("/b.json"))

    #expect(without.status == 0 && nothing.output == "3\n", "\(nothing)")
    #expect(with.status == 2)
    #expect(try library.program.shell("ls ran").output == "ran\n")
  }

  /// A feed's title is a separate argument, which neither a shell nor a desktop interprets.
  @Test func `a notification has the number of images and their titles`() throws {
    let list = #"[{"id":1,"title":"Fish & chips $(touch bad)","url":"/moon.jpg"}]"#
    site.set("/bad.json", .init(type: "application/json", body: Array(list.utf8)))
    _ = try library.program.shell(
      "mkdir bin; printf '#!/bin/sh\\nprintf \"%%s|\" \"$@\" > told\\n' > bin/notify-send; chmod +x bin/notify-send"
    )

    _ = try library.program.shell(
      "PATH=$PWD/bin:$PATH gallery sync \(site.address("/bad.json")) --notify"
    )

    let told = try library.program.shell("cat told").output
    #expect(
      told
        == "--app-name=gallery|--|\(site.address("/bad.json")): 1 new image|Fish &amp; chips $(touch bad)|",
      "\(told)"
    )
    #expect(try library.program.shell("ls").output.contains("bad") == false)
  }

  @Test(arguments: [
    (#"--help\n--icon=/etc/passwd"#, "--help --icon=/etc/passwd"), (#"a\u0000b"#, "a b"),
    (#"\u001b[31mred\u202e"#, "[31mred\u{FFFD}"),
    ("`touch bad`; $(touch bad)", "`touch bad`; $(touch bad)"),
  ])
  func `a title is one line of a notification, and no option`(title: String, line: String) throws {
    let list = #"[{"id":1,"title":"\#(title)","url":"/moon.jpg"}]"#
    site.set("/odd.json", .init(type: "application/json", body: Array(list.utf8)))
    _ = try library.program.shell(
      "mkdir bin; printf '#!/bin/sh\nprintf \"%%s|\" \"$@\" > told\n' > bin/notify-send; chmod +x bin/notify-send"
    )

    _ = try library.program.shell(
      "PATH=$PWD/bin:$PATH gallery sync \(site.address("/odd.json")) --notify"
    )

    let told = try library.program.shell("cat told; ls").output.split(separator: "|")
    #expect(told.prefix(2) == ["--app-name=gallery", "--"], "\(told)")
    #expect(told.count == 5 && told[3] == line, "\(told)")
    #expect(told.last?.contains("bad") == false)
  }
}
