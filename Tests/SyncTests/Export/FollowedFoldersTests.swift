import Models
import TestSupport
import Testing
import Workers

@testable import Sync

struct FollowedFoldersTests {
  private func folder(isMissing: Bool) throws -> FollowedFolder {
    FollowedFolder(
      path: "/out",
      query: ImageQuery(search: "moon"),
      template: try NameTemplate(),
      sidecars: .xmp,
      isMissing: isMissing
    )
  }

  private func notices(_ store: LibraryManagingSpy, _ exporter: FileExportingStub) async
    -> [SyncNotice]
  {
    let notices = Locked<[SyncNotice]>([])
    await FollowedFolders(store: store, exporter: exporter).update { notice in
      notices.withLock { $0.append(notice) }
    }
    return notices.withLock { $0 }
  }

  @Test func `exports to a folder that has to be there, and tells of new files alone`() async throws
  {
    let store = LibraryManagingSpy(folders: [try folder(isMissing: false)])
    var counts = FileExportCounts()
    let idle = FileExportingStub([.ended(counts, isInterrupted: false)])
    #expect(await notices(store, idle) == [])
    let plan = FileExportPlan(
      folder: "/out",
      query: ImageQuery(search: "moon"),
      template: try NameTemplate(),
      sidecars: .xmp,
      access: .following
    )
    #expect(idle.plans == [plan])
    counts.linked = 2
    let busy = FileExportingStub([.ended(counts, isInterrupted: false)])
    #expect(await notices(store, busy) == [.exported(folder: "/out", counts)])
  }

  @Test func `says once that a folder is missing, and again after it was back`() async throws {
    let store = LibraryManagingSpy(folders: [try folder(isMissing: false)])
    let gone = FileExportingStub([.failed(.missing(path: "/out"))])
    let back = FileExportingStub([.ended(FileExportCounts(), isInterrupted: false)])

    #expect(await notices(store, gone) == [.notExported(.missing(path: "/out"))])
    #expect(await notices(store, gone) == [])
    #expect(await notices(store, back) == [])
    #expect(await notices(store, gone) == [.notExported(.missing(path: "/out"))])
  }
}
