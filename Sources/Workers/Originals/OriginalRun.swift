/// A fetch of one original that is under way.
package struct OriginalRun: Sendable {
  /// What it says, in order; read it to its end.
  package let events: AsyncStream<OriginalEvent>
  private let task: Task<Void, Never>

  /// Starts a fetch; it runs whether or not its events are read.
  package init(_ request: OriginalRequest, with fetcher: any OriginalFetching) {
    let (events, teller) = AsyncStream.makeStream(of: OriginalEvent.self)
    self.events = events
    task = Task {
      do throws(Failure) {
        let fetched = try await fetcher.fetch(request) { progress in
          teller.yield(.progress(progress))
        }
        teller.yield(.fetched(fetched))
      } catch {
        teller.yield(.failed(error))
      }
      teller.finish()
    }
  }

  /// Asks it to stop: the events go on to `failed`, unless it was done by then.
  package func stop() { task.cancel() }
}
