import TestSupport
import Testing

/// The behaviour of a server before and after the program that fetches a picture is killed, and the
/// request that the next run then sends.
struct Resumption: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var before: LargePictureSite.Ways
  var after: LargePictureSite.Ways
  /// The validator in the request for the rest; nil if the next run requests everything.
  var condition: String?
  /// The number of requests that the second run sends.
  var requests = 1
  /// Whether the second run keeps the bytes of the first.
  var isResumed = true

  static let picture = TestPicture.large(bytes: 12 << 20)
  static let otherPicture = TestPicture.large(bytes: 12 << 20, seed: 2)
  private static let date = "Sun, 01 Nov 2026 08:00:00 GMT"

  static let all = [
    Resumption("sends the rest") { _ in },
    Resumption("has another picture by then") { test in
      test.after.picture = otherPicture
      test.after.entityTag = "\"two\""
      test.isResumed = false
    },
    Resumption("has another, shorter picture, and knows no conditions") { test in
      test.after.picture = TestPicture.large(bytes: 1 << 20, seed: 3)
      test.requests = 2
      test.isResumed = false
    },
    Resumption("ignores Range") { test in
      test.after.sendsParts = false
      test.isResumed = false
    },
    Resumption("gives weak tags") { test in
      test.both { $0.entityTag = "W/\"one\"" }
      test.condition = nil
      test.isResumed = false
    },
    Resumption("gives weak tags and dates") { test in
      test.both { ways in
        ways.entityTag = "W/\"one\""
        ways.lastModified = date
      }
      test.condition = date
    },
    Resumption("gives dates alone") { test in
      test.both { ways in
        ways.entityTag = nil
        ways.lastModified = date
      }
      test.condition = date
    },
    Resumption("answers 416 with another length") { test in
      test.after.claimedLength = 77
      test.requests = 2
      test.isResumed = false
    },
    Resumption("does not declare the length") { test in
      test.both { $0.declaresLength = false }
    },
    Resumption("neither declares the length nor knows parts") { test in
      test.both { $0.declaresLength = false }
      test.after.sendsParts = false
      test.isResumed = false
    },
    Resumption("gives neither tag nor date") { test in
      test.both { $0.entityTag = nil }
      test.condition = nil
      test.isResumed = false
    },
  ]

  private init(_ description: String, _ change: (inout Resumption) -> Void) {
    testDescription = description
    before = LargePictureSite.Ways(picture: Self.picture)
    after = before
    condition = before.entityTag
    change(&self)
  }

  private mutating func both(_ change: (inout LargePictureSite.Ways) -> Void) {
    change(&before)
    change(&after)
  }
}
