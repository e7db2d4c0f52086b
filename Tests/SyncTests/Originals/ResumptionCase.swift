import FoundationEssentials
import Models
import Testing
import Workers

/// The validators of the version whose transfer breaks off, and the validator in the request for the rest.
struct ResumptionCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Nil if the request is for everything.
  let validator: String?
  private var reply = FakeReply(breakage: .broken)

  static let all = [
    ResumptionCase("a strong tag", "\"one\"") { $0.validators = OriginalBench.strong },
    ResumptionCase("a strong tag before a date", "\"one\"") { reply in
      reply.date(after: 60)
      reply.validators.entityTag = "\"one\""
    },
    ResumptionCase("a weak tag", nil) { $0.validators.entityTag = "W/\"one\"" },
    ResumptionCase("a weak tag and a date long past", day) { reply in
      reply.date(after: 60)
      reply.validators.entityTag = "W/\"one\""
    },
    ResumptionCase("a date a second past", day) { $0.date(after: 1) },
    ResumptionCase("a date of this very second", nil) { $0.date(after: 0) },
    ResumptionCase("a date without the time of the response", nil) { reply in
      reply.date(after: 60)
      reply.date = nil
    },
    ResumptionCase("a strong tag of what was compressed", nil) { reply in
      reply.validators = OriginalBench.strong
      reply.isEncoded = true
    },
    ResumptionCase("nothing", nil) { _ in },
  ]

  static let day = "Sun, 01 Nov 2026 08:00:00 GMT"

  /// The transfer that breaks off.
  func first(_ picture: [UInt8]) -> FakeReply {
    var reply = reply
    reply.contentLength = picture.count
    reply.chunks = [Array(picture.prefix(20))]
    return reply
  }

  private init(
    _ description: String,
    _ validator: String?,
    _ change: (inout FakeReply) -> Void
  ) {
    testDescription = description
    self.validator = validator
    change(&reply)
  }
}

extension FakeReply {
  /// Sets the date of the last change, and a date of the response this many seconds later.
  fileprivate mutating func date(after seconds: Double) {
    let modified = Date(timeIntervalSince1970: 1_793_520_000)
    validators.lastModified = ResumptionCase.day
    self.modified = modified
    date = modified.addingTimeInterval(seconds)
  }
}
