import Workers

/// Asks each of its requests in a task of its own.
final class FakeFetchGroup: FetchGroup {
  private let network: FakeNetwork
  private let answer: FetchAnswer
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(network: FakeNetwork, answer: @escaping FetchAnswer) {
    self.network = network
    self.answer = answer
  }

  func ask(_ requests: [NumberedRequest]) {
    for numbered in requests {
      let task = Task { [network, answer] in
        do throws(NetworkError) {
          answer(numbered.number, .success(try await network.fetch(numbered.request)))
        } catch {
          answer(numbered.number, .failure(error))
        }
      }
      tasks.withLock { $0.append(task) }
    }
  }

  func took(bytes: Int) {}

  func cancel() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }
}
