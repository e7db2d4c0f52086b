import FoundationEssentials
import Models
import TestSupport
import Workers

/// The behaviour of a fake server for one address.
struct FakeReply: Sendable {
  /// The number of bytes of every header on the wire.
  static let headerBytes = 100

  var status = 200
  var validators = Validators()
  var mediaType: String?
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
  /// The peer of the first connection.
  var firstPeer: NetworkPeer?
  /// The address of the reply, if it differs from the requested one.
  var address: WebAddress?
  var chunks: [[UInt8]] = []
  /// The reason why not even a header arrives.
  var refusal: NetworkError.Reason?
  /// The reason why the body breaks after its chunks.
  var breakage: NetworkError.Reason?
  /// Delays the header until it is open.
  var gate: Gate?
  /// Delays the end of the body until it is open.
  var endGate: Gate?
  /// The replies to later requests; the last one repeats.
  var later: [FakeReply] = []
  /// The replies to requests that begin with a `Referer` field.
  var withReferers: [PictureReferer: FakeReply] = [:]

  /// A feed document that arrives in these chunks of words.
  static func document(_ chunks: String..., validators: Validators = Validators()) -> FakeReply {
    FakeReply(validators: validators, chunks: chunks.map { Array($0.utf8) })
  }

  /// A feed document that ends too early after these chunks.
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

  /// A reply with a picture, or with other bytes in its place.
  static func picture(_ bytes: [UInt8]) -> FakeReply {
    FakeReply(contentLength: bytes.count, chunks: [bytes])
  }

  /// The bytes of a picture, beginning at an offset.
  static func rest(of bytes: [UInt8], from offset: Int, _ validators: Validators) -> FakeReply {
    FakeReply(
      status: 206,
      validators: validators,
      contentLength: bytes.count - offset,
      contentRange: ContentRange(bytes: offset...bytes.count - 1, total: bytes.count),
      chunks: [Array(bytes.dropFirst(offset))]
    )
  }

  /// The answer to a range that begins after the end of the picture.
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

  /// A complete body without a declared length.
  static func undeclared(_ bytes: [UInt8]) -> FakeReply { FakeReply(chunks: [bytes]) }

  /// This reply, followed by others for later requests.
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
