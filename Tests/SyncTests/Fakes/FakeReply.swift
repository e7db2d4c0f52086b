import FoundationEssentials
import Models
import TestSupport
import Workers

/// What a fake server does when it is asked for an address.
struct FakeReply: Sendable {
  /// How many bytes every header takes on the wire.
  static let headerBytes = 100

  var status = 200
  var validators = Validators()
  var charset: String?
  var contentLength: Int?
  var nextPage: WebAddress?
  var contentRange: ContentRange?
  var isEncoded = false
  var freshSeconds: Int?
  var date: Date?
  var modified: Date?
  var permanentAddress: WebAddress?
  var retryAfter: Date?
  /// Where the first connection leads.
  var firstPeer: NetworkPeer?
  /// Where the reply comes from, when not from the address that was asked for.
  var address: WebAddress?
  var chunks: [[UInt8]] = []
  /// Why not even a header comes.
  var refusal: NetworkError.Reason?
  /// Why the body ends behind its chunks without being whole.
  var breakage: NetworkError.Reason?
  /// Holds the header back.
  var gate: Gate?
  /// Holds the end of the body back.
  var endGate: Gate?
  /// What the server does the next times; the last one holds from then on.
  var later: [FakeReply] = []

  /// A feed document that comes in these chunks of words.
  static func document(_ chunks: String..., validators: Validators = Validators()) -> FakeReply {
    FakeReply(validators: validators, chunks: chunks.map { Array($0.utf8) })
  }

  /// A feed document that ends too early behind these chunks.
  static func breaking(
    _ chunks: String...,
    by reason: NetworkError.Reason = .broken,
    then later: FakeReply...
  ) -> FakeReply {
    FakeReply(
      validators: SyncBench.validators,
      chunks: chunks.map { Array($0.utf8) },
      breakage: reason,
      later: later
    )
  }

  /// A picture, or what stands in its place.
  static func picture(_ bytes: [UInt8]) -> FakeReply {
    FakeReply(contentLength: bytes.count, chunks: [bytes])
  }

  /// The bytes of a picture from an offset on.
  static func rest(of bytes: [UInt8], from offset: Int, _ validators: Validators) -> FakeReply {
    FakeReply(
      status: 206,
      validators: validators,
      contentLength: bytes.count - offset,
      contentRange: ContentRange(bytes: offset...bytes.count - 1, total: bytes.count),
      chunks: [Array(bytes.dropFirst(offset))]
    )
  }

  /// The answer to who asks for more than the whole has.
  static func nothingBehind(_ total: Int) -> FakeReply {
    FakeReply(status: 416, contentRange: ContentRange(bytes: nil, total: total))
  }

  /// The first bytes of a picture, then a broken connection.
  static func broken(_ bytes: [UInt8], at end: Int, _ validators: Validators) -> FakeReply {
    FakeReply(
      validators: validators,
      contentLength: bytes.count,
      chunks: [Array(bytes.prefix(end))],
      breakage: .broken
    )
  }

  /// A body that is whole when it is at its end, and does not say how long it is.
  static func undeclared(_ bytes: [UInt8]) -> FakeReply { FakeReply(chunks: [bytes]) }

  /// This one, and others the next times.
  func then(_ later: FakeReply...) -> FakeReply {
    var reply = self
    reply.later = later
    return reply
  }

  static func held(by gate: Gate) -> FakeReply {
    var reply = FakeReply.picture(PictureBytes.jpeg)
    reply.gate = gate
    return reply
  }
}
