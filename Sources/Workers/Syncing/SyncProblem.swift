package import Models

/// A problem in fetching, storing or fully reading something during a sync.
package struct SyncProblem: Sendable, Equatable {
  /// The subject of a problem.
  package enum Subject: Sendable, Equatable {
    /// The feed's document; the feed could not be read.
    case feed
    /// The feed's document, which could be read despite the problem.
    case document
    /// A further page, or a member of a collection; the rest of the feed was read.
    case page
    case thumbnail
    /// A thumbnail made from an original; the address is the original's.
    case madeThumbnail
    /// All thumbnails that are to be made for the feed.
    case making
    case original
  }

  /// The importance of a problem to a person.
  package enum Severity: String, Sendable, Equatable {
    /// Something could not be fetched or stored.
    case failure
    /// A document was read, but a part of it may be lost.
    case warning
    /// A document was read completely, although it has a flaw.
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
    // The user may miss these feeds, although nothing that can be read is lost.
    case .flaw(.feedsLeftOut), .flaw(.filesLeftOut): .warning
    // They stay unreadable until their rights change.
    case .flaw(.unreadableFiles), .flaw(.unreadableFolders): .failure
    case .flaw(let flaw) where flaw.isHarmless: .blemish
    // Addresses beyond a limit were not requested.
    case .feed: .failure
    default: .warning
    }
  }
}
