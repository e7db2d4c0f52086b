import Scenes
import Testing

@testable import Terminal

struct CommandDisplayTests {
  private let screen = Screen()

  @Test(arguments: [
    ([], nil), ([Outcome.done], Outcome.done), ([.done, .done], .done),
    ([.done, .notFound, .done], .partly), ([.notFound, .done], .partly),
    ([.unavailable, .unavailable], .unavailable), ([.notFound, .unavailable], .notFound),
  ])
  func `notes what all requests come to together`(_ outcomes: [Outcome], _ together: Outcome?) {
    let display = CommandDisplay(console: screen.console())

    for outcome in outcomes { display.note(outcome) }

    #expect(display.outcome == together)
  }

  @Test func `says why a request came to nothing where results do not go`() {
    let display = CommandDisplay(console: screen.console(isQuiet: true))

    display.fail("cannot show '9': no such image", .notFound)

    #expect(screen.events == [.errors("cannot show '9': no such image\n")])
    #expect(display.outcome == .notFound)
  }
}
