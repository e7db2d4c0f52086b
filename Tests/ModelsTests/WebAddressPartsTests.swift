import Models
import Testing

struct WebAddressPartsTests {
  @Test(arguments: [
    "page=2", "p=2", "offset=0", "start=10", "limit=30", "per_page=30", "per-page=30", "count=5",
    "n=5", "cursor=x", "after=t3", "before=t3", "since=2026", "until=2026", "max_id=7",
    "q=sea&Limit=3", "page[size]=3", "page%5Bnumber%5D=3", "$top=5", "%24skip=5", "_page=1",
    "pageToken=x", "a=b;limit=3", "limit",
  ])
  func `asks for a part by a parameter that numbers or bounds pages`(query: String) throws {
    #expect(try #require(WebAddress("https://a.b/list?\(query)")).asksForPart)
  }

  @Test(arguments: ["/page/2", "/photos/Page/12/", "/page/2?q=sea"])
  func `asks for a part by a path of pages`(path: String) throws {
    #expect(try #require(WebAddress("https://a.b\(path)")).asksForPart)
  }

  @Test(arguments: [
    "/list", "/list?q=limit", "/list?token=page", "/list?tag=n", "/page", "/page/about",
    "/list?format=json&lang=en#page=2",
  ])
  func `asks for the whole otherwise`(path: String) throws {
    #expect(try !#require(WebAddress("https://a.b\(path)")).asksForPart)
  }
}
