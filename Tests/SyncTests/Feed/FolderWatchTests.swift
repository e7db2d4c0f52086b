import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// Folders of pictures in a sync that keeps running.
@Suite(.timeLimit(.minutes(60)))
struct FolderWatchTests {
  @Test(arguments: [
    FolderWatchStatus.watched(isNew: false), .unwatched(.fileSystem("NFS")), .missing,
  ])
  func `a folder is listed when something has changed in it, and each minute if nobody tells`(
    status: FolderWatchStatus
  ) async {
    let folder = FakeFolder(["a.jpg": "1"])
    let watch = FakeFolderWatch(status)
    var bench = SyncBench([:], folder: folder)
    bench.folderWatch = watch
    _ = await bench.summaries(SyncPlan(feeds: [FakeFolder.address], fetchesThumbnails: false))
    var plan = SyncPlan(feeds: [], fetchesThumbnails: false, isEveryFeed: true)
    plan.isWatching = true
    let (clock, stop, told) = (bench.clock, StopRequest(), Locked(false))
    let isWatched = status == .watched(isNew: false)

    // The first listing of the watch is the second one.
    let run = bench.start(plan) { [store = bench.store] duration in
      guard duration > .seconds(1) else { return clock.go(1.1) }
      for step in 0... {
        try Task.checkCancellation()
        if isWatched {
          if folder.listings >= (told.snapshot ? 3 : 2) { break }
        } else {
          guard try await store.feeds().contains(where: { $0.isDue(at: clock.now) }) else { break }
          if step == 1_000 { return }
        }
        await Task.yield()
      }
      clock.go(Double(duration.components.seconds) + 0.1)
      guard clock.now >= SyncBench.now + 600 else { return }
      if told.snapshot {
        if clock.now >= SyncBench.now + 1_200 { stop.make() }
      } else {
        told.withLock { $0 = true }
        watch.tell(FakeFolder.address)
      }
    }
    stop.whenMade { run.stop() }
    let facts = await run.allFacts()

    #expect(isWatched ? folder.listings == 3 : folder.listings > 5)
    #expect(
      facts.notices
        == (status == .unwatched(.fileSystem("NFS"))
          ? [.unwatched(folder: FakeFolder.address, .fileSystem("NFS"))] : [])
    )
  }

  private static let now = SyncBench.now

  /// An agenda with a watched folder that was listed now, and nothing else.
  private func folderAgenda(_ change: (inout Feed) -> Void = { _ in }) -> WatchAgenda {
    var agenda = WatchAgenda()
    agenda.watchesFolders = true
    var feed = feed(1, FakeFolder.address)
    (feed.lastSync, feed.status) = (Self.now, .updated)
    feed.schedule = FeedSchedule(due: Self.now + 300)
    change(&feed)
    agenda.feeds = [feed]
    #expect(agenda.takeFolders().wanted == [FakeFolder.address])
    _ = agenda.take(.watched(isNew: true), of: FakeFolder.address, at: Self.now)
    #expect(agenda.begin(at: Self.now).map(\.id) == [1])
    agenda.end([1])
    #expect(agenda.endChange(of: FakeFolder.address, isLocked: false, at: Self.now) == false)
    return agenda
  }

  @Test func `a folder waits until it is watched, and is listed then`() {
    var agenda = WatchAgenda()
    agenda.watchesFolders = true
    agenda.feeds = [feed(1, FakeFolder.address), feed(2, .page("b"))]

    #expect(agenda.begin(at: Self.now).map(\.id) == [2])
    #expect(agenda.takeFolders().wanted == [FakeFolder.address])
    #expect(agenda.takeFolders().wanted == [])
    #expect(agenda.take(.watched(isNew: true), of: FakeFolder.address, at: Self.now) == true)
    #expect(agenda.begin(at: Self.now).map(\.id) == [1])
    #expect(agenda.changed == [FakeFolder.address])
  }

  @Test func `a burst of changes is one sync after a quiet second, or after half a minute`() {
    var agenda = folderAgenda()
    var begun: [Int] = []
    for tenth in 1...400 {
      let now = Self.now + 100 + Double(tenth) / 10
      if tenth <= 350 { _ = agenda.noteChange(in: FakeFolder.address, at: now) }
      #expect(agenda.pause(at: now) <= .seconds(tenth <= 360 ? 1 : 60))
      if !agenda.begin(at: now).isEmpty {
        begun.append(tenth)
        agenda.end([1])
        _ = agenda.endChange(of: FakeFolder.address, isLocked: false, at: now)
      }
    }

    #expect(begun.count == 2)
    #expect(begun.first.map { (300...302).contains($0) } == true)
    #expect(begun.last.map { (359...361).contains($0) } == true)
  }

  @Test func `a watched folder without a change is listed once a day`() {
    var agenda = folderAgenda()

    #expect(agenda.begin(at: Self.now + 86_000) == [])
    #expect(agenda.begin(at: Self.now + 86_400).map(\.id) == [1])
  }

  @Test(arguments: [true, false])
  func `a folder that failed, or has half-written files, follows the usual schedule`(
    hasFailed: Bool
  ) {
    var agenda = folderAgenda { feed in
      if hasFailed { feed.status = .failed } else { feed.isWhole = false }
    }

    #expect(agenda.begin(at: Self.now + 61).map(\.id) == (hasFailed ? [] : [1]))
    agenda.end([1])
    #expect(agenda.begin(at: Self.now + 300).map(\.id) == [1])
  }

  @Test func `a change during a sync of the folder is another sync`() {
    var agenda = folderAgenda()
    _ = agenda.noteChange(in: FakeFolder.address, at: Self.now + 10)
    #expect(agenda.begin(at: Self.now + 11).map(\.id) == [1])

    #expect(agenda.noteChange(in: FakeFolder.address, at: Self.now + 12) == true)
    #expect(agenda.begin(at: Self.now + 20) == [])
    agenda.end([1])
    #expect(agenda.endChange(of: FakeFolder.address, isLocked: false, at: Self.now + 20) == true)
    #expect(agenda.begin(at: Self.now + 20).map(\.id) == [1])
  }

  @Test func `a folder that another process was syncing is listed soon again`() {
    var agenda = folderAgenda()
    _ = agenda.noteChange(in: FakeFolder.address, at: Self.now + 10)
    #expect(agenda.begin(at: Self.now + 11).map(\.id) == [1])

    agenda.end([1])
    #expect(agenda.endChange(of: FakeFolder.address, isLocked: true, at: Self.now + 11) == true)
    #expect(agenda.begin(at: Self.now + 12) == [])
    #expect(agenda.begin(at: Self.now + 17).map(\.id) == [1])
  }

  @Test func `a clock that is set back delays no changed folder`() {
    var agenda = folderAgenda()
    _ = agenda.noteChange(in: FakeFolder.address, at: Self.now + 10)

    #expect(agenda.begin(at: Self.now - 3_600).map(\.id) == [1])
  }

  @Test func `a folder with an interval of its own, a mirrored and a paused one are not watched`() {
    var agenda = WatchAgenda()
    agenda.watchesFolders = true
    var mirrored = feed(2, FakeFolder.address)
    mirrored.gallery = .page("gallery")
    var gone = feed(3, FakeFolder.address)
    gone.isPaused = true
    agenda.feeds = [feed(1, FakeFolder.address, every: 60), mirrored, gone]

    #expect(agenda.takeFolders().wanted == [])
    #expect(agenda.begin(at: Self.now).map(\.id) == [1])
  }

  @Test func `a folder that is not followed any more is not watched any more`() {
    var agenda = folderAgenda()
    agenda.feeds = []

    #expect(agenda.takeFolders().dropped == [FakeFolder.address])
    #expect(agenda.noteChange(in: FakeFolder.address, at: Self.now) == false)
    #expect(agenda.take(.watched(isNew: true), of: FakeFolder.address, at: Self.now) == false)
  }

  @Test func `the reason why a folder is not watched is told once, and another reason again`() {
    var agenda = folderAgenda()
    let (limit, drive) = (FolderWatchProblem.limit("max"), FolderWatchProblem.fileSystem("NFS"))

    for (problem, isNew) in [(limit, true), (limit, false), (drive, true), (drive, false)] {
      let status = FolderWatchStatus.unwatched(problem)
      #expect((agenda.problem(in: status, of: FakeFolder.address) != nil) == isNew)
      _ = agenda.take(status, of: FakeFolder.address, at: Self.now)
    }
    #expect(agenda.begin(at: Self.now + 61).map(\.id) == [1])
  }

  private func feed(_ id: Int64, _ address: WebAddress, every seconds: Int? = nil) -> Feed {
    var feed = Feed(id: id, address: address)
    feed.schedule.givenInterval = seconds
    return feed
  }
}
