import Models
import TestSupport
import Testing
import Workers

/// A reply at the thumbnail address of "moon" that the sync cannot store, and the reason.
struct FailingPicture: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let reply: FakeReply
  let failure: Failure

  static let all = [
    FailingPicture(
      testDescription: "not found",
      reply: FakeReply(status: 404, chunks: [PictureBytes.jpeg]),
      failure: .status(404)
    ),
    FailingPicture(
      testDescription: "a page",
      reply: .picture(Array("<!DOCTYPE html><html><body>Sign in".utf8)),
      failure: .notAPicture(looksLike: "an HTML page")
    ),
    FailingPicture(
      testDescription: "nothing",
      reply: .picture([]),
      failure: .notAPicture(looksLike: "an empty file")
    ),
    FailingPicture(
      testDescription: "a cut JPEG image",
      reply: .picture(PictureBytes.jpeg.dropLast(19)),
      failure: .cutPicture(.jpeg)
    ),
    FailingPicture(
      testDescription: "a cut GIF image",
      reply: .picture(PictureBytes.gif.dropLast()),
      failure: .cutPicture(.gif)
    ),
    FailingPicture(
      testDescription: "a broken connection",
      reply: FakeReply(chunks: [PictureBytes.jpeg], breakage: .broken),
      failure: .network(NetworkError(.broken, at: .thumbnail("moon")))
    ),
  ]
}
