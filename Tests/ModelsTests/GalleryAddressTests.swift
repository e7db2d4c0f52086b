import Models
import Testing

struct GalleryAddressTests {
  private let gallery = WebAddress("https://host.example:8470/api/v1/changes").flatMap {
    GalleryAddress($0)
  }

  @Test func `a cursor stands in the address as it is`() {
    let text = gallery?.changes(behind: "1.0c5e-a_Z.1.0.0.44")?.text

    #expect(text == "https://host.example:8470/api/v1/changes?since=1.0c5e-a_Z.1.0.0.44")
  }

  @Test(arguments: ["", "a b", "a&types=feed", "../a", "a\r\nb", "ä", "a%41"])
  func `a text with other characters is not a cursor`(text: String) {
    #expect(!GalleryAddress.isCursor(text))
    #expect(gallery?.changes(behind: text) == nil)
  }

  @Test func `a cursor has at most 1,024 bytes`() {
    #expect(GalleryAddress.isCursor(String(repeating: "a", count: 1_024)))
    #expect(!GalleryAddress.isCursor(String(repeating: "a", count: 1_025)))
  }
}
