import Glibc
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// Facts that the system reports about files and disks.
struct FileSystemTests {
  private func reason(_ body: () throws(StoreError) -> Void) -> StoreError.Reason? {
    do throws(StoreError) { try body() } catch { return error.reason }
    return nil
  }

  @Test(arguments: [
    (64 << 20, 0), ((1 << 30) - 1, 0), (10 << 30, 512 << 20), (20 << 30, 1 << 30),
    (1 << 42, 1 << 30),
  ])
  func `leaves free a twentieth of a disk, a gigabyte at most, and nothing of a small one`(
    disk: Int,
    reserve: Int
  ) {
    #expect(FileLimits.reserve(ofDiskWith: disk) == reserve)
  }

  @Test func `says how much is left free where more is wanted than there is`() throws {
    let folder = try ScratchFolder()
    let disk = try #require(FileSystem.disk(of: folder.path))

    #expect(disk.free > 0 && disk.total >= disk.free)
    #expect(
      reason { () throws(StoreError) in try LibraryFolder(folder.path).checkRoom(for: 1 << 60) }
        == .reserved(bytes: FileLimits.reserve(ofDiskWith: disk.total))
    )
  }

  @Test func `says that a device is full`() {
    let file = Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(file) }

    #expect(
      reason { () throws(StoreError) in try FileSystem.write([1], to: file, path: "/dev/full") }
        == .full
    )
  }

  @Test(arguments: [(EDQUOT, StoreError.Reason.full), (EFBIG, .readOnly), (EIO, .other)])
  func `knows the system's reasons`(_ code: Int32, _ reason: StoreError.Reason) {
    #expect(StoreError(errno: code, path: "/p").reason == reason)
  }
}
