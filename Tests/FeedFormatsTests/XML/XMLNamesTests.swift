import CXML2
import Foundation
import Testing

@testable import FeedFormats

struct XMLNamesTests {
  @Test func `knows each of very many names again, however they share places`() {
    let words = ["title", "link", "guid", "item", "description"]
    let spellings = (0..<500).compactMap { strdup(words[$0 % words.count]) }
    defer { for spelling in spellings { free(spelling) } }
    var names = XMLNames()

    for round in 0..<3 {
      for (index, spelling) in spellings.enumerated() {
        let local = UnsafeRawPointer(spelling).assumingMemoryBound(to: xmlChar.self)
        let name = names.name(local: local, prefix: nil, address: nil)

        #expect(name == XMLName(.rss, XMLWord(localName: words[index % words.count])), "\(round)")
      }
    }
  }

  @Test func `tells names of one spelling apart by their prefix`() {
    let words = ["title", "media", "dc"]
    let spellings = words.compactMap { strdup($0) }
    defer { for spelling in spellings { free(spelling) } }
    let pointers = spellings.map { UnsafeRawPointer($0).assumingMemoryBound(to: xmlChar.self) }
    var names = XMLNames()

    for _ in 0..<2 {
      let spaces = [nil, pointers[1], pointers[2]].map { prefix in
        names.name(local: pointers[0], prefix: prefix, address: nil).space
      }

      #expect(spaces == [.rss, .media, .dublinCore])
    }
  }
}
