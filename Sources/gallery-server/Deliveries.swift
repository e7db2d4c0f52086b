import Composition
import Foundation
import Models
import Workers

/// Asks feeds of whose changes their hubs tell: soon, each as a sync that names it does.
///
/// All that is told while a sync waits or runs is one more question.
actor Deliveries {
  private let jobs: SyncJobs
  private let library: any LibraryReading
  private var queue = DeliveryQueue()
  private var task: Task<Void, Never>?
  private var isClosed = false

  init(_ jobs: SyncJobs, _ library: any LibraryReading) {
    self.jobs = jobs
    self.library = library
  }

  func note(_ feedID: Int64) {
    queue.note(feedID)
    guard task == nil, !isClosed else { return }
    task = Task { await ask() }
  }

  func close() async {
    isClosed = true
    task?.cancel()
    await task?.value
  }

  private func ask() async {
    while !Task.isCancelled, let pause = queue.pause(at: Date()) {
      if pause > 0 {
        try? await Task.sleep(for: .seconds(pause))
      } else {
        await sync(queue.take(at: Date()))
      }
    }
    task = nil
  }

  /// One that is not followed any more would fail the others.
  private func sync(_ ids: [Int64]) async {
    let followed = Set((try? await library.feeds().map(\.id)) ?? [])
    let feeds = ids.filter(followed.contains)
    if !feeds.isEmpty { await jobs.run(feeds.map { .id($0) }) }
  }
}
