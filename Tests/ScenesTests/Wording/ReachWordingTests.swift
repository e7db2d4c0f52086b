import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// The messages about addresses that the program must not reach.
struct ReachWordingTests {
  private func failure(_ reason: NetworkError.Reason, _ message: String) -> Failure {
    .network(NetworkError(reason: reason, address: Feed.astronomy.address, message: message))
  }

  private static let refusals: [(SyncProblem.Subject, String, HintedText)] = [
    (
      SyncProblem.Subject.thumbnail, "cannot fetch the thumbnail 'https://stars.example/feed.xml'",
      "\(.allowPrivate)"
    ),
    (
      .original, "cannot fetch the original 'https://stars.example/feed.xml'",
      "\(.allowPrivate)"
    ),
    (
      .feed, "cannot sync 'https://stars.example/feed.xml'",
      "stored data stays as it is; \(.allowPrivate)"
    ),
    (
      .page, "cannot read 'https://stars.example/feed.xml'",
      "the rest of its feed was read; \(.allowPrivate)"
    ),
  ]

  @Test(arguments: refusals)
  func `hints at what allows it`(
    subject: SyncProblem.Subject,
    beginning: String,
    rest: HintedText
  ) {
    let problem = SyncProblem(
      subject: subject,
      address: Feed.astronomy.address,
      failure: failure(.privateAddress, "it leads to 10.0.0.7, a private address")
    )

    let reason = """
      it leads to 10.0.0.7, a private address, which its feed may reach only once private addresses \
      are allowed
      """
    #expect(Wording.message(problem) == "\(beginning): \(reason) — \(rest)")
  }

  @Test func `promises nothing of an address that is never asked`() {
    let problem = SyncProblem(
      subject: .thumbnail,
      address: Feed.astronomy.address,
      failure: failure(.forbiddenAddress, "it leads to 169.254.169.254, a link-local address")
    )

    let message: HintedText = """
      cannot fetch the thumbnail 'https://stars.example/feed.xml': it leads to 169.254.169.254, a \
      link-local address, which gallery never connects to — \
      \(.syncAgain(.init(time: .someDaysLater, isOriginal: false)))
      """
    #expect(Wording.message(problem) == message)
  }
}
