/// Lets one task wait until it is opened, or until the task is cancelled.
struct Door: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }

  func passed() async {
    for await _ in stream {}
  }
}
