import Models
import TestSupport
import Testing
import Workers

/// A reply that does not continue the first 20 bytes of a test's picture.
struct MisfittingReply: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let reply: FakeReply

  static let all = [
    MisfittingReply("a part that begins elsewhere", part { $0.contentRange?.bytes = 10...length }),
    MisfittingReply("a part behind the end", part { $0.contentRange?.bytes = 20...length + 1 }),
    MisfittingReply("a part of a whole of another length", part { $0.contentRange?.total = 999 }),
    MisfittingReply("a part that says nothing of its place", part { $0.contentRange = nil }),
    MisfittingReply("a part with the status of a whole", part { $0.status = 200 }),
    MisfittingReply("a part that has been compressed", part { $0.isEncoded = true }),
    MisfittingReply("a part without the tag of the whole", part { $0.validators = Validators() }),
    MisfittingReply("a part of another version", part { $0.validators.entityTag = "\"two\"" }),
    MisfittingReply(
      "a part with a date that was not there before",
      part { $0.validators.lastModified = "Sun, 01 Nov 2026 08:00:00 GMT" }
    ),
    MisfittingReply(
      "more than was declared",
      part { reply in
        reply.contentLength = nil
        reply.chunks.append([1, 2, 3])
      }
    ),
    MisfittingReply("nothing behind another length", .nothingBehind(19)),
    MisfittingReply("nothing behind this length, of another whole", .nothingBehind(20)),
    MisfittingReply("nothing behind an unknown length", FakeReply(status: 416)),
    MisfittingReply("no change of what was not asked about", FakeReply(status: 304)),
  ]

  private init(_ description: String, _ reply: FakeReply) {
    testDescription = description
    self.reply = reply
  }

  private static let length = PictureBytes.jpeg.count - 1

  private static func part(_ change: (inout FakeReply) -> Void) -> FakeReply {
    var reply = FakeReply.rest(of: PictureBytes.jpeg, from: 20, OriginalBench.strong)
    change(&reply)
    return reply
  }
}
