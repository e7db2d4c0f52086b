import Testing

struct UsageTests {
  let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test func `prints its version`() throws {
    #expect(
      try library.program.run("--version")
        == Program.Result(status: 0, output: "0.1.0\n", errors: "")
    )
  }

  @Test(arguments: ["sync", "list", "show", "feeds", "remove"])
  func `explains a command`(command: String) throws {
    let result = try library.program.run("help", command)

    #expect(result.status == 0)
    #expect(result.output.contains("USAGE: gallery \(command)"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completes`(shell: String) throws {
    let result = try library.program.run("--generate-completion-script", shell)

    #expect(result.status == 0)
    #expect(result.output.contains("gallery"))
  }

  @Test(arguments: [
    ["lst"], ["show"], ["show", "moon"], ["list", "--sort", "size"], ["list", "--limit", "-1"],
    ["sync", "--jobs", "0"], ["sync", "ftp://example.com/feed"],
    ["show", "1", "2", "--output", "f"],
    ["show", "1", "--json", "--output", "-"], ["sync", "--originals", "--metadata-only"],
    ["show", "1", "--refresh", "--offline"], ["show", "1", "--refresh", "--info"],
    ["show", "1", "--refresh", "--thumbnail"],
  ])
  func `answers a wrong use with status 64 and a message`(arguments: [String]) throws {
    let running = try library.program.start(arguments)
    let result = try library.program.finish(running)

    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors != "")
  }
}
