import Foundation
import Models
import TestSupport
import Testing

/// The images of a document in `Documents/apis`, from a block of its `EXPECTED.txt`.
struct APIExpectation: Sendable, CustomTestStringConvertible {
  struct Image: Sendable, Equatable {
    var original: String
    var thumbnail: String?
    var title: String?
  }

  var document = ""
  var images: [Image] = []
  /// The API that answers with such documents.
  var interface = ""

  var testDescription: String { document }

  /// All blocks of the file; empty if the file is missing, which a test reports.
  static let all: [APIExpectation] = {
    do {
      let text = try String(decoding: ReadDocument.bytes(of: "apis/EXPECTED.txt"), as: UTF8.self)
      return text.components(separatedBy: "\n\n").map(Self.init).filter { !$0.document.isEmpty }
    } catch {
      Issue.record(error)
      return []
    }
  }()

  private init(block: String) {
    for line in block.split(separator: "\n") where !line.hasPrefix("#") {
      guard let colon = line.range(of: ": ") else { continue }
      take(String(line[colon.upperBound...]), as: line[..<colon.lowerBound])
    }
  }

  private mutating func take(_ value: String, as name: Substring) {
    switch name {
    case "document": document = value
    case "interface": interface = value
    case "original": images.append(Image(original: value))
    case "thumbnail": images[images.count - 1].thumbnail = value
    case "title": images[images.count - 1].title = value
    default: Issue.record("'\(name)' is not a member of an expectation")
    }
  }
}

/// Documents in the shapes of public APIs.
struct APIDocumentTests {
  @Test func `expects something of every document`() throws {
    let folder = Bundle.module.bundleURL.appending(path: "Documents/apis")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let documents = Set(names.filter { $0.hasSuffix(".json") }.map { "apis/\($0)" })

    #expect(Set(APIExpectation.all.map(\.document)) == documents)
  }

  @Test func `names the interfaces in the documentation`() throws {
    let text = try Checkout.text(of: "Documentation/Feeds.md")
    let start = try #require(text.range(of: "interfaces are tested:\n\n")?.upperBound)
    let list = text[start...].components(separatedBy: ".\n\n")[0].replacing("\n", with: " ")

    #expect(Set(list.components(separatedBy: ", ")) == Set(APIExpectation.all.map(\.interface)))
  }

  @Test(arguments: APIExpectation.all)
  func `reads the pictures of an interface`(_ expected: APIExpectation) throws {
    let read = try ReadDocument(ReadDocument.bytes(of: expected.document))
    let images = read.images.map { image in
      APIExpectation.Image(
        original: image.originalAddress.text,
        thumbnail: image.thumbnailAddress?.text,
        title: image.title
      )
    }
    #expect(images == expected.images)
  }
}
