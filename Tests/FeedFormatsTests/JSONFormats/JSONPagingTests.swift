import Models
import Testing
import Workers

struct JSONPagingTests {
  @Test(
    arguments: [
      (#""next_page": "https://c.d/l?page=2""#, "https://c.d/l?page=2"),
      (#""next_url": "/l/2""#, "https://a.b/l/2"),
      (#""next": "?page=2""#, "https://a.b/l?page=2"),
      (#""next": 2"#, "https://a.b/l?q=sea&page=2"),
      (#""meta": {"next_page": 3}"#, "https://a.b/l?q=sea&page=3"),
      (#""meta": {"pagination": {"next": "https://a.b/l/2"}}"#, "https://a.b/l/2"),
      (#""_links": {"next": {"href": "https://a.b/l/2"}}"#, "https://a.b/l/2"),
      (#""data": {"after": "t3_7y"}"#, "https://a.b/l?q=sea&after=t3_7y"),
      (##""nextPageToken": "a b/=""##, "https://a.b/l?q=sea&pageToken=a%20b%2F%3D"),
      (#""meta": {"next_cursor": "x"}"#, "https://a.b/l?q=sea&cursor=x"),
      (#""page": 1, "total_pages": 4"#, "https://a.b/l?q=sea&page=2"),
      (
        #""continue": {"continue": "||", "gucontinue": "A|1"}"#,
        "https://a.b/l?q=sea&continue=%7C%7C&gucontinue=A%7C1"
      ),
    ]
  )
  func `finds the next page in every way lists name it`(member: String, next: String) throws {
    for text in ["{\(member), \(Self.list)}", "{\(Self.list), \(member)}"] {
      let read = try ReadDocument(text, address: "https://a.b/l?q=sea")

      #expect(read.document.continuation == .nextPage(try #require(WebAddress(next))))
      #expect(!read.document.listsEverything)
      #expect(read.originals == ["https://a.b/1.jpg"])
    }
  }

  @Test(arguments: [
    #""next": null"#, #""next_page": """#, #""data": {"after": null}"#, #""has_more": false"#,
    #""page": 4, "total_pages": 4"#, #""next": "file:///etc/passwd""#, #""prev": "/l/1""#,
    #""next": "https://a.b/l?q=sea""#,
  ])
  func `has no next page where there is none`(member: String) throws {
    let read = try ReadDocument("{\(member), \(Self.list)}", address: "https://a.b/l?q=sea")

    #expect(read.document.continuation == .none)
  }

  @Test func `asks for each page after the one before`() throws {
    let address = "https://a.b/l?page=2&q=sea"

    let read = try ReadDocument(#"{"pages": 3, \#(Self.list)}"#, address: address)

    let next = try #require(WebAddress("https://a.b/l?q=sea&page=3"))
    #expect(read.document.continuation == .nextPage(next))
  }

  @Test func `asks nobody for the next page of a file`() throws {
    let read = try ReadDocument(#"{"next": 2, \#(Self.list)}"#, address: "file:///tmp/list.json")

    #expect(read.document.continuation == .none)
    #expect(!read.document.listsEverything)
  }

  @Test func `finds the next page of a list of any size`() throws {
    let photos = (0..<9000).map { #"{"src": "https://a.b/\#($0).jpg", "alt": "A photograph"}"# }
    let text = #"{"photos": [\#(photos.joined(separator: ","))], "meta": {"next": "/2"}}"#

    let read = try ReadDocument(Array(text.utf8), chunk: 5000, address: "https://a.b/l")

    #expect(read.images.count == 9000)
    #expect(read.document.continuation == .nextPage(try #require(WebAddress("https://a.b/2"))))
  }

  private static let list = #""photos": [{"src": "https://a.b/1.jpg"}]"#
}
