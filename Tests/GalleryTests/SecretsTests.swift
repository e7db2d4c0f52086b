import Foundation
import TestSupport
import Testing

/// Secrets in addresses appear in no output, for any command and any message.
struct SecretsTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let page = TestPicture.jpeg(width: 64, height: 48)
    let list = """
      [{"id":1,"title":"A","url":"/a.jpg?api_key=s3cret1","thumbnailUrl":"/t.jpg?token=s3cret2",
      "link":"http://ann:s3cret3@127.0.0.1/page?key=s3cret4"},
      {"id":2,"title":"B","url":"/none.jpg?api_key=s3cret5",
      "thumbnailUrl":"/none-small.jpg?token=s3cret6"}]
      """
    site.set("/list?api_key=s3cret7", .init(type: "application/json", body: Array(list.utf8)))
    site.set("/a.jpg?api_key=s3cret1", .init(type: "image/jpeg", body: page))
    site.set("/t.jpg?token=s3cret2", .init(type: "image/jpeg", body: page))
  }

  private var feed: String {
    "http://ann:s3cret8@127.0.0.1:\(site.server.port)/list?api_key=s3cret7"
  }

  @Test(arguments: [[], ["--json"]])
  func `are masked in every output`(options: [String]) throws {
    let lines = [
      "sync '\(feed)' --originals --verbose", "sync --verbose --force", "sync 1 --dry-run",
      "list --verbose", "list --feed '\(feed)x'", "show 1 --verbose", "show 1 --info",
      "show 2 --verbose", "show 2 --info", "show 2 --offline", "feeds --verbose",
      "sync '\(feed)x' --verbose", "sync 'http://ann:s3cret9@127.0.0.1:1/?token=s3cret0'",
      "remove '\(feed)x'", "remove '\(feed)'",
    ]

    for line in lines {
      let options = options.joined(separator: " ")
      let result = try library.program.shell("gallery \(line) \(options)")
      #expect(!(result.output + result.errors).contains("s3cret"), "\(line) \(result)")
      #expect(result.status != 64, "\(line) \(result)")
    }
    #expect(site.targets.contains("/a.jpg?api_key=s3cret1"))
  }

  @Test func `are masked in a list for other programs, and that is said`() throws {
    try library.program.run("sync", feed)

    let result = try library.program.run("feeds", "--opml")

    #expect(result.output.contains("http://***@127.0.0.1:"))
    #expect(!result.output.contains("s3cret"))
    #expect(
      result.errors == """
        the secrets in 1 address are masked — put them back before the list is used

        """
    )
  }
}
