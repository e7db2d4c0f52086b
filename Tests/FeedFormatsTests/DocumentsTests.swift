import Models
import Testing
import Workers

/// The expectations of a real document, determined by a person who read it.
struct Expectation: Sendable, CustomTestStringConvertible {
  struct Image: Sendable, Equatable {
    let title: String?
    let thumbnail: String?
    let original: String
  }

  let file: String
  let format: FeedFormat
  let count: Int
  let first: Image?
  let last: Image?
  var isDamaged = false
  /// Whether a picture is repeated by so many entries of a part of it that it is none of theirs.
  var repeatsPictures = false

  var testDescription: String { file }
}

struct DocumentsTests {
  @Test(arguments: try Expectation.all + Expectation.written(in: MarkupDocumentsTests.folders))
  func `reads a real document`(_ expected: Expectation) throws {
    let read = try ReadDocument(ReadDocument.bytes(of: expected.file))

    #expect(read.document.format == expected.format)
    #expect(read.images.count == expected.count)
    #expect(read.images.first.map(Expectation.Image.init) == expected.first)
    #expect(read.images.last.map(Expectation.Image.init) == expected.last)
    #expect(read.document.flaws.isEmpty == !expected.isDamaged)
  }

  @Test(arguments: Expectation.all)
  func `reads the same from chunks of any size`(_ expected: Expectation) throws {
    let bytes = try ReadDocument.bytes(of: expected.file)
    let whole = try ReadDocument(bytes)

    for chunk in [1, 7, 1021, 16_384] {
      #expect(try ReadDocument(bytes, chunk: chunk) == whole)
    }
  }

  @Test(arguments: Expectation.all)
  func `reads a prefix of what the whole document gives when it is cut off`(
    _ expected: Expectation
  ) throws {
    let bytes = try ReadDocument.bytes(of: expected.file)

    for length in stride(from: 0, to: bytes.count, by: bytes.count / 40 + 1) {
      do {
        let part = try ReadDocument(Array(bytes.prefix(length)))
        #expect(part.images.count <= expected.count)
        #expect(!part.document.listsEverything)
        #expect(!part.document.flaws.isEmpty)
      } catch is FeedError {
        continue
      }
    }
  }
}

extension Expectation.Image {
  init(_ image: FeedImage) {
    self.init(
      title: image.title,
      thumbnail: image.thumbnailAddress?.text,
      original: image.originalAddress.text
    )
  }
}
