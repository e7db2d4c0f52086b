import Foundation
import Testing

@testable import FeedFormats

struct XMLNamesTests {
  @Test func `knows each of very many names again, however they share places`() {
    let words = ["title", "link", "guid", "item", "description"]
    var names = XMLNames()

    for round in 0..<3 {
      for number in 0..<500 {
        let word = words[number % words.count]
        let spelling = number < words.count ? word : "p\(number):\(word)"
        let space: XMLNamespace = number < words.count ? .rss : .other

        let name = enter(spelling, in: &names)

        #expect(name == XMLName(space, XMLWord(localName: word)), "\(round)")
      }
    }
  }

  @Test func `tells names of one spelling apart by their prefix`() {
    var names = XMLNames()

    for _ in 0..<2 {
      let spaces = ["title", "media:title", "dc:title"].map { enter($0, in: &names).space }

      #expect(spaces == [.rss, .media, .dublinCore])
    }
    #expect(names.hasUndeclared)
  }

  @Test func `knows what is declared where`() {
    var names = XMLNames()
    let media = "http://search.yahoo.com/mrss/"
    let atom = "http://www.w3.org/2005/Atom"

    #expect(enter("a:b", ["xmlns:a": media], in: &names, depth: 0).space == .media)
    #expect(enter("a:b", ["xmlns:a": atom], in: &names, depth: 1).space == .atom)
    names.leave(depth: 1)
    #expect(enter("a:b", in: &names, depth: 1).space == .media)
    #expect(enter("entry", ["xmlns": atom], in: &names, depth: 1).space == .atom)
    #expect(enter("title", in: &names, depth: 2).space == .atom)
    names.leave(depth: 2)
    names.leave(depth: 1)
    #expect(enter("title", in: &names, depth: 1).space == .rss)
    #expect(!names.hasUndeclared)
    names.leave(depth: 0)
    _ = enter("a:b", in: &names, depth: 0)
    #expect(names.hasUndeclared)
  }

  @Test(arguments: [
    (["a:href": "b"], true), (["xml:base": "b"], false), (["href": "b"], false),
    (["xmlns:a": "b", "a:href": "c"], false), (["xmlns:a": "", "a:href": "c"], true),
  ])
  func `knows attributes whose prefix is not declared`(attributes: [String: String], is: Bool) {
    var names = XMLNames()

    _ = enter("link", attributes, in: &names)

    #expect(names.hasUndeclared == `is`)
  }

  @Test func `is full with more different names than a document may have`() {
    var names = XMLNames()
    let filler = String(repeating: "x", count: 100)
    for number in 0..<5000 { _ = enter("a\(filler)\(number)", in: &names) }
    for _ in 0..<20_000 { _ = enter("a", in: &names) }
    #expect(!names.isFull)

    for number in 5000..<20_000 { _ = enter("a\(filler)\(number)", in: &names) }

    #expect(names.isFull)
  }

  private func enter(
    _ name: String,
    _ attributes: [String: String] = [:],
    in names: inout XMLNames,
    depth: Int = 0
  ) -> XMLName {
    let texts = attributes.flatMap { [$0.key, $0.value] }.compactMap { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer<UInt8>?(bytes(of: $0)) } + [nil]
    guard let spelling = strdup(name) else { return .document }
    defer { free(spelling) }
    return pointers.withUnsafeBufferPointer { pointers in
      guard let start = pointers.baseAddress else { return .document }
      return names.enter(bytes(of: spelling), XMLAttributes(start), depth: depth).name
    }
  }

  private func bytes(of text: UnsafeMutablePointer<CChar>) -> UnsafePointer<UInt8> {
    UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
  }
}
