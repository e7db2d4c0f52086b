package import FoundationEssentials
package import Models

/// What a server's answer for a feed's document means for the next time.
package struct FeedAnswer: Sendable, Equatable {
  /// What to ask with; empty when the feed must be read again, nil leaves what there is.
  package var validators: Validators?
  /// Where the feed has moved for good, as far as it may follow.
  package var permanentAddress: WebAddress?
  /// When a sync of every feed asks again; nil for with each.
  package var nextSync: Date?
  /// How many documents stand between the document and what the user has named; a list remembers the
  /// smallest number.
  package var listDepth = 0

  package init(
    validators: Validators? = nil,
    permanentAddress: WebAddress? = nil,
    nextSync: Date? = nil
  ) {
    self.validators = validators
    self.permanentAddress = permanentAddress
    self.nextSync = nextSync
  }
}

extension FeedAnswer {
  /// Reads the header of an answer that is good: the document itself, or that it has not changed.
  init(_ header: NetworkHeader, to address: WebAddress, now: Date) {
    validators = header.validators
    permanentAddress = header.permanentAddress.flatMap { address.mayMove(to: $0) ? $0 : nil }
    let seconds = min(Double(header.freshSeconds ?? 0), SyncLimits.longestFreshness)
    nextSync = seconds > 0 ? now.addingTimeInterval(seconds) : nil
  }
}
