package import Models

/// Something a sync could not have, keep, or read without loss.
package struct SyncProblem: Sendable, Equatable {
  /// What the problem is about.
  package enum Subject: Sendable, Equatable {
    /// The feed's document: nothing new can be told of the feed.
    case feed
    /// The feed's document, which could be read past the problem.
    case document
    /// A further page, or a member of a collection: the rest of the feed was read.
    case page
    case thumbnail
    /// A thumbnail that is made from an original, whose address it is about.
    case madeThumbnail
    /// All thumbnails that are to be made for the feed.
    case making
    case original
  }

  /// How much a person has to know of it.
  package enum Severity: String, Sendable, Equatable {
    /// Something could not be had or kept.
    case failure
    /// A document was read, and something of it may be lost.
    case warning
    /// A document was read as a whole, although something is wrong with it.
    case blemish
  }

  package var subject: Subject
  package var address: WebAddress
  package var failure: Failure

  package init(subject: Subject, address: WebAddress, failure: Failure) {
    self.subject = subject
    self.address = address
    self.failure = failure
  }

  package var severity: Severity {
    guard subject == .document else { return .failure }
    return switch failure {
    case .flaw(let flaw) where flaw.isHarmless: .blemish
    // What is beyond a limit was not even asked for.
    case .feed: .failure
    default: .warning
    }
  }
}
