package import FoundationEssentials

/// The pictures of an image; the raw value is what the store keeps.
package enum PictureKind: Int64, Sendable, Equatable {
  /// The thumbnail that its feed names.
  case thumbnail = 0
  case original = 1
  /// The thumbnail of an image whose feed names none: it is made from the original.
  case madeThumbnail = 2
}

/// Why a picture of an image could not be had lately, as the library remembers it.
package struct PictureFailure: Sendable, Equatable {
  package var kind: PictureKind
  /// Why, in words.
  package var reason: String
  /// How often it has failed in a row in the same way.
  package var tries: Int
  package var failed: Date
  /// From when on a sync asks again.
  package var retry: Date

  package init(kind: PictureKind, reason: String, tries: Int, failed: Date, retry: Date) {
    self.kind = kind
    self.reason = reason
    self.tries = tries
    self.failed = failed
    self.retry = retry
  }
}

/// Pictures of one feed that could not be had lately for the same reason.
package struct FailureGroup: Sendable, Equatable {
  package var kind: PictureKind
  package var count: Int
  /// Why, in words.
  package var reason: String
  /// From when on a sync asks for the first of them again.
  package var retry: Date

  package init(kind: PictureKind, count: Int, reason: String, retry: Date) {
    self.kind = kind
    self.count = count
    self.reason = reason
    self.retry = retry
  }
}

extension [FailureGroup] {
  /// Counts a failure in; the most frequent reason stays first.
  package mutating func add(_ failure: PictureFailure) {
    guard
      let index = firstIndex(where: { $0.kind == failure.kind && $0.reason == failure.reason })
    else {
      let (kind, reason, retry) = (failure.kind, failure.reason, failure.retry)
      return append(FailureGroup(kind: kind, count: 1, reason: reason, retry: retry))
    }
    self[index].count += 1
    self[index].retry = Swift.min(self[index].retry, failure.retry)
    if index > 0, self[index].count > self[index - 1].count { swapAt(index, index - 1) }
  }
}
