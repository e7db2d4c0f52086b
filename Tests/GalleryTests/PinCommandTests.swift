import Testing

struct PinCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed, "--metadata-only")
  }

  @Test func `pins images, lists them, and takes the pins away`() throws {
    let pinned = try library.program.run("pin", "1", "3")
    let listed = try library.program.shell("gallery list --pinned | cut -f 1")
    let shown = try library.program.run("show", "--info", "--json", "3")
    let unpinned = try library.program.run("unpin", "--feed", "Night sky", "--json")

    #expect(pinned.output == "2 images are pinned\n")
    #expect(listed.output == "1\n3\n")
    #expect(shown.output.contains("\"pinned\":true"))
    #expect(unpinned.output == "{\"images\":3,\"pinned\":false}\n")
    #expect(try library.program.run("list", "--pinned").output == "")
  }

  @Test(arguments: [("1,3", 2), ("2-3", 2), ("1-2,3", 3)])
  func `takes several ids in one word`(ids: String, images: Int) throws {
    let pinned = try library.program.run("pin", ids)
    let explained = try library.program.run("why", ids).output.split(separator: "\n")

    #expect(pinned.output == "\(images) images are pinned\n")
    #expect(explained.count { $0.hasPrefix("listed") } == images)
    #expect(try library.program.finish(library.program.start(["pin", "3-1"])).status == 64)
  }

  @Test(arguments: ["pin", "unpin"])
  func `makes no library`(command: String) throws {
    let result = try library.program.shell("gallery --cache none \(command) 1; ls -d none")

    #expect(result.errors.hasPrefix("nothing is stored at '\(library.folder)/none' yet"))
    #expect(result.output == "", "\(result)")
  }

  @Test func `pins what a search finds`() throws {
    let title = try library.program.shell("gallery list --limit 1 | cut -f 4").output.dropLast()

    let result = try library.program.run("pin", "--search", String(title))

    #expect(result.output == "1 image is pinned\n")
  }

  @Test func `pins what is there, and names what is not`() throws {
    let result = try library.program.run("pin", "2", "9")

    #expect(result.output == "1 image is pinned\n")
    #expect(result.errors == "cannot pin '9': no such image — 'gallery list' shows the ids\n")
    #expect(result.status == 2)
    #expect(try library.program.run("pin", "9").status == 3)
    let unpinned = try library.program.run("unpin", "9")
    #expect(unpinned.errors == "cannot unpin '9': no such image — 'gallery list' shows the ids\n")
  }

  @Test func `a range stands for the images that there are`() throws {
    let result = try library.program.shell(
      """
      gallery pin 1-1000; echo $?
      gallery unpin 1,500-1000; echo $?
      gallery show 1-1000 --info >shown; echo $?
      gallery why 500-1000; echo $?
      gallery show 1-400,2000 --json --info >shown; echo $?
      """
    )

    let range = "'500-1000': no image has such an id — 'gallery list' shows the ids"
    #expect(
      result.errors.split(separator: "\n") == [
        "cannot unpin \(range)", "cannot show \(range)",
        "cannot show '2000': no such image — 'gallery list' shows the ids",
      ]
    )
    let codes = result.output.split(separator: "\n").map(String.init).filter { $0.count == 1 }
    #expect(codes == ["0", "2", "0", "3", "2"], "\(result)")
  }

  @Test(arguments: [
    (["pin"], "name images by id, or by --feed or --search"),
    (["unpin", "1", "--feed", "1"], "ids and --feed or --search exclude each other"),
  ])
  func `says which images it takes`(words: [String], message: String) throws {
    let result = try library.program.finish(library.program.start(words))

    #expect(result.errors.hasPrefix("Error: \(message)\n"))
    #expect(result.status == 64)
  }
}
