import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct OriginalRunTests {
  private let request = OriginalRequest(imageID: 1, address: .original("moon"), reach: .publicOnly)

  @Test func `says how far it is, then what is stored`() async throws {
    let bench = OriginalBench(.picture(PictureBytes.jpeg))
    let count = PictureBytes.jpeg.count

    let events = await read(OriginalRun(request, with: bench.worker))

    let fetched = FetchedOriginal(
      original: try #require(try await bench.store.original(imageID: 1)),
      wasDownloaded: true,
      wireBytes: FakeReply.headerBytes + count
    )
    guard case .progress(let first) = events.first else { throw CancellationError() }
    let path = bench.store.partial(imageID: 1)
    let all = [0, count].map { received in
      OriginalEvent.progress(progress(received, of: first.version, at: path))
    }
    #expect(events == all + [.fetched(fetched)])
  }

  @Test func `ends with the failure`() async {
    let bench = OriginalBench(FakeReply(status: 404))

    let events = await read(OriginalRun(request, with: bench.worker))

    #expect(events == [.failed(.status(404))])
  }

  @Test func `ends with a cancellation when it is stopped`() async {
    let gate = Gate()
    let bench = OriginalBench(.held(by: gate))
    let run = OriginalRun(request, with: bench.worker)

    await gate.arrivals.reaches(1)
    run.stop()

    let cancelled = Failure.network(NetworkError(.cancelled, at: .original("moon")))
    #expect(await read(run) == [.failed(cancelled)])
    #expect(bench.store.events == [.suspended(imageID: 1, length: 0)])
  }

  private func progress(_ received: Int, of version: Int, at path: String) -> OriginalProgress {
    OriginalProgress(
      received: received,
      total: PictureBytes.jpeg.count,
      partial: .file(path: path),
      version: version
    )
  }

  private func read(_ run: OriginalRun) async -> [OriginalEvent] {
    var events: [OriginalEvent] = []
    for await event in run.facts { events.append(event) }
    return events
  }
}
