import Scenes
import Testing

struct RedrawPaceTests {
  private let start = ContinuousClock.now

  @Test func `admits the first drawing at once`() {
    #expect(RedrawPace().admits(at: start))
  }

  @Test func `admits two quick drawings a second`() {
    var pace = RedrawPace()
    pace.note(began: start, ended: start + .milliseconds(10))

    #expect(!pace.admits(at: start + .milliseconds(499)))
    #expect(pace.admits(at: start + .milliseconds(500)))
  }

  @Test func `leaves slow drawings a tenth of the time`() {
    var pace = RedrawPace()
    pace.note(began: start, ended: start + .milliseconds(200))

    #expect(!pace.admits(at: start + .milliseconds(1999)))
    #expect(pace.admits(at: start + .seconds(2)))
  }
}
