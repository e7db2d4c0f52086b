import Testing
import Workers

struct StopRequestTests {
  private let request = StopRequest()
  private let heard = Locked<[String]>([])

  @Test func `is heard by everyone who listens, in the order of listening`() {
    listen("first")
    listen("second")

    request.make()

    #expect(heard.withLock { $0 } == ["first", "second"])
  }

  @Test func `is not heard before it is made`() {
    listen("early")

    #expect(heard.withLock { $0 } == [])
  }

  @Test func `is heard at once by who comes later`() {
    request.make()

    listen("late")

    #expect(heard.withLock { $0 } == ["late"])
  }

  @Test func `is heard once, however often it is made`() {
    listen("early")
    request.make()

    listen("late")
    request.make()

    #expect(heard.withLock { $0 } == ["early", "late"])
  }

  private func listen(_ name: String) {
    request.whenMade { [heard] in heard.withLock { $0.append(name) } }
  }
}
