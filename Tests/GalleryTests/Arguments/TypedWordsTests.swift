import Testing

@testable import gallery

struct TypedWordsTests {
  private let typed = TypedWords(commands: ["sync", "list", "show", "feeds", "remove"])

  @Test(arguments: [
    (["list", "--json"], ["list", "--json"]),
    (
      ["--cache", "X", "-q", "list", "--limit", "1"],
      ["list", "--cache", "X", "-q", "--limit", "1"]
    ),
    (["--json", "--cache=X", "sync", "a"], ["sync", "--json", "--cache=X", "a"]),
    (["--json", "--version"], ["--version"]), (["--json", "help", "list"], ["help", "list"]),
    (["list", "--search", "---", "-n", "1"], ["list", "--search=---", "-n", "1"]),
    (["list", "--search"], ["list", "--search"]), (["--cache", "X"], []), (["--cache"], []),
    (["--serch", "list"], ["--serch", "list"]),
  ])
  func `puts the options of all commands behind the command`(words: [String], arranged: [String]) {
    #expect(typed.arranged(words) == arranged)
  }

  @Test(arguments: [
    ("lst", "list"), ("lits", "list"), ("snyc", "sync"), ("feed", "feeds"), ("rm", nil),
    ("moon", nil), ("x", nil), ("delete", nil),
  ])
  func `suggests the command that is near`(word: String, near: String?) {
    let end = near.map { "did you mean '\($0)'?" }
    let message =
      "'\(word)' is not a command; \(end ?? "the commands are sync, list, show, feeds, remove")"

    #expect(typed.problem(of: [word, "--json"]) == message)
  }

  @Test(arguments: [["list"], ["help"], ["help", "list"], ["help", "help"], ["--version"], []])
  func `has nothing to say of a command that there is`(words: [String]) {
    #expect(typed.problem(of: words) == nil)
  }

  @Test(arguments: [
    (["gallery", "list"], "gallery list --offset 24"),
    (
      ["./gallery", "--cache", "my photos", "list", "--search", "it's", "-f", "2"],
      "./gallery --cache 'my photos' list --search 'it'\\''s' -f 2 --offset 24"
    ),
    (
      ["gallery", "list", "--offset", "12", "--sort=title"], "gallery list --sort=title --offset 24"
    ),
    (
      ["gallery", "list", "--offset=12", "--search", "--offset"],
      "gallery list --search --offset --offset 24"
    ),
    (["gallery", "list", "--search", ""], "gallery list --search '' --offset 24"),
  ])
  func `gives the command of the next page as a shell takes it`(words: [String], command: String) {
    #expect(NextPage.command(words, offset: 24) == command)
  }
}
