import Testing

struct StatusCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `tells what is stored and what waits`() throws {
    try library.program.run("sync", site.feed, "--metadata-only")
    try library.program.run("pin", "2")
    let before = try library.program.run("status")
    try library.program.run("sync", "--originals")
    let after = try library.program.run("status", "--json")

    let lines = before.output.split(separator: "\n").prefix(6)
    #expect(
      lines == [
        "feeds       1", "images      3", "ready       0 % can be looked at without a network",
        "thumbnails  0 stored, 0 B; 3 waiting", "originals   0 stored, 0 B", "pinned      1",
      ]
    )
    let counted = """
      {"feeds":1,"failedFeeds":0,"pausedFeeds":0,"images":3,"ready":100,"thumbnails":3,\
      "waitingThumbnails":0,"originals":3,"pins":1,
      """
    #expect(after.output.hasPrefix(counted), "\(after.output)")
    let files = try library.program.shell("cat library/originals/*/* | wc -c").output.dropLast()
    #expect(after.output.contains("\"originalBytes\":\(files),"))
  }

  @Test func `tells when everything was verified last`() throws {
    try library.program.run("sync", site.feed)
    let before = try library.program.run("status").output
    try library.program.run("verify")
    let after = try library.program.run("status").output

    #expect(before.contains("verified    never\n"))
    #expect(after.contains(#/verified    20[0-9-]{8} [0-9:]{5}\n/#), "\(after)")
  }

  @Test func `tells how many feeds fail`() throws {
    try library.program.run("sync", site.feed, "--metadata-only")
    site.set("/photos.xml", nil)
    try library.program.run("sync")

    let result = try library.program.run("status")

    #expect(result.output.hasPrefix("feeds       1, 1 failed\n"))
  }

  @Test func `there is nothing to tell of a library that is not there`() throws {
    let result = try library.program.run("status")

    #expect(result.output == "")
    #expect(result.errors.hasSuffix("'gallery sync <feed-url>' begins\n"))
    #expect(result.status == 0)
  }
}
