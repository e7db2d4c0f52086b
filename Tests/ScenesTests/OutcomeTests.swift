import Scenes
import Testing

struct OutcomeTests {
  @Test(arguments: [
    (Outcome.done, Outcome.done, Outcome.done), (.failed, .failed, .failed),
    (.done, .failed, .partly), (.done, .notFound, .partly), (.done, .unavailable, .partly),
    (.done, .partly, .partly), (.partly, .failed, .partly), (.partly, .unavailable, .partly),
  ])
  func `two outcomes come to one, whichever was first`(
    _ one: Outcome,
    _ other: Outcome,
    _ both: Outcome
  ) {
    #expect(one.combined(with: other) == both)
    #expect(other.combined(with: one) == both)
  }

  @Test func `when nothing was done the first tells why`() {
    #expect(Outcome.notFound.combined(with: .unavailable) == .notFound)
    #expect(Outcome.unavailable.combined(with: .notFound) == .unavailable)
  }
}
