import Models
import Testing

struct FeedFormatTests {
  /// The library keeps these names and scripts read them.
  @Test func `keeps the names it has`() {
    #expect(
      FeedFormat.allCases.map(\.rawValue) == [
        "json", "jsonfeed", "rss", "mediarss", "rdf", "atom", "iiif", "opml", "html",
      ]
    )
  }
}
