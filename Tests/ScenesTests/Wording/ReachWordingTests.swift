import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// What is said of addresses that may not be reached.
struct ReachWordingTests {
  private func failure(_ reason: NetworkError.Reason, _ message: String) -> Failure {
    .network(NetworkError(reason: reason, address: Feed.astronomy.address, message: message))
  }

  @Test(arguments: [
    (
      SyncProblem.Subject.thumbnail, "cannot fetch the thumbnail 'https://stars.example/feed.xml'",
      "a sync of the feed with --allow-private tries again"
    ),
    (
      .original, "cannot fetch the original 'https://stars.example/feed.xml'",
      "a sync of the feed with --allow-private tries again"
    ),
    (.feed, "cannot sync 'https://stars.example/feed.xml'", "what is stored stays as it is"),
    (.page, "cannot read 'https://stars.example/feed.xml'", "the rest of its feed was read"),
  ])
  func `names the option that allows it`(
    subject: SyncProblem.Subject,
    beginning: String,
    rest: String
  ) {
    let problem = SyncProblem(
      subject: subject,
      address: Feed.astronomy.address,
      failure: failure(.privateAddress, "it leads to 10.0.0.7, a private address")
    )

    let reason = """
      it leads to 10.0.0.7, a private address, which its feed may reach only once it is synced with \
      --allow-private
      """
    let message = "\(beginning): \(reason) — \(rest)"
    #expect(Wording.message(problem) == message)
  }

  @Test func `promises nothing of an address that is never asked`() {
    let problem = SyncProblem(
      subject: .thumbnail,
      address: Feed.astronomy.address,
      failure: failure(.forbiddenAddress, "it leads to 169.254.169.254, a link-local address")
    )

    let message = """
      cannot fetch the thumbnail 'https://stars.example/feed.xml': it leads to 169.254.169.254, a \
      link-local address, which gallery never connects to — a sync some days later tries again, one with \
      --retry-failed at once
      """
    #expect(Wording.message(problem) == message)
  }
}
