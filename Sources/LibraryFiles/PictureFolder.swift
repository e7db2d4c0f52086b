import CLinux
import Dispatch
package import FoundationEssentials
import Glibc
package import Models
import PictureFiles
package import Workers

/// Lists and reads the folders that are feeds.
///
/// A folder belongs to the user, and often others may write to it, too. So each part of a path is opened in the folder
/// before it, and no link is followed (open(2), O_NOFOLLOW). Only the folder's own path may contain links.
package struct PictureFolder: PictureFolderReading {
  /// Does work after a time.
  typealias Later = @Sendable (DispatchTimeInterval, @escaping @Sendable () -> Void) -> Void

  /// The parts in which the time for an answer passes.
  ///
  /// If the process is stopped meanwhile, or the whole machine, that is the end of one part, and the folder has the others
  /// to answer. Otherwise one that is there would count as away.
  private static let parts = 10

  private let queue = DispatchQueue(label: "gallery.folder", attributes: .concurrent)
  private let patience: Patience
  var later: Later = { time, work in
    DispatchQueue.global().asyncAfter(deadline: .now() + time, execute: work)
  }
  private let now: @Sendable () -> Date

  package init(
    patience: Patience = Patience(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.patience = patience
    self.now = now
  }

  /// How long others wait for a folder, which may be that of a server that cannot be reached.
  package struct Patience: Sendable {
    /// The longest time that a list waits for a folder that is being looked at.
    package var ofList = Duration.milliseconds(300)
    /// The longest time that the sync of a new folder waits for the others, and a list for its turn to look.
    package var ofSync = Duration.seconds(2)

    package init() {}
  }

  package func contents(
    of folder: WebAddress,
    explains: Bool = false
  ) async throws(NetworkError) -> FolderContents {
    let result = await run { () -> Result<FolderContents, NetworkError> in
      do throws(NetworkError) {
        var walk = try FolderWalk(folder, explains: explains)
        return .success(walk.contents())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  package func place(of folder: WebAddress, among known: [WebAddress]) async -> WebAddress {
    guard let path = folder.filePath, let identity = await run({ FileIdentity(path) }) else {
      return folder
    }
    if let same = await first(of: known, with: identity) { return same }
    // Behind a link, `..` leads out of the folder to which the link leads.
    let plain = Self.withoutNeedlessParts(path)
    return await run { FileIdentity(plain) } == identity
      ? WebAddress(filePath: plain, relativeTo: "/") : folder
  }

  /// The first of the folders that is the one with an identity.
  ///
  /// All are asked at the same time. One that does not answer soon is on another disk than a folder that has answered.
  private func first(of folders: [WebAddress], with identity: FileIdentity) async -> WebAddress? {
    if folders.isEmpty { return nil }
    let (found, all) = (Locked<[Int]>([]), DispatchGroup())
    for (index, folder) in folders.enumerated() {
      queue.async(group: all) {
        guard let path = folder.filePath, FileIdentity(path) == identity else { return }
        found.withLock { $0.append(index) }
      }
    }
    await withCheckedContinuation { waiting in
      DispatchQueue.global().async { [patience] in
        for _ in 0..<Self.parts where all.wait(timeout: .now()) != .success {
          _ = all.wait(timeout: .now() + Self.part(of: patience.ofSync))
        }
        waiting.resume()
      }
    }
    return found.snapshot.min().map { folders[$0] }
  }

  /// The path of a folder without empty parts, `.`, and `..` with the part before it; it ends with a slash.
  private static func withoutNeedlessParts(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.map { $0 + "/" }.joined()
  }

  package func read(_ file: FolderFile, in folder: WebAddress) async -> FolderFileContent {
    await run { [now] in Self.content(of: file, in: folder, now) }
  }

  /// Whether a folder is missing or empty, as the place of a disk that is not mounted is.
  ///
  /// A folder that does not answer soon counts as such, because it may be that of a server that cannot be reached. The
  /// time counts from when it is asked: a busy machine may take a while to ask it.
  package func isAway(_ folder: WebAddress) async -> Bool {
    guard let path = folder.filePath else { return false }
    let waiting = Locked<CheckedContinuation<Bool, Never>?>(nil)
    @Sendable func answer(_ isAway: Bool) {
      let first = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      first?.resume(returning: isAway)
    }
    @Sendable func giveUp(after time: Duration, parts: Int = Self.parts) {
      later(Self.part(of: time)) {
        guard waiting.withLock({ $0 != nil }) else { return }
        if parts > 1 { giveUp(after: time, parts: parts - 1) } else { answer(true) }
      }
    }
    return await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
      queue.async { [patience] in
        giveUp(after: patience.ofList)
        answer(!FileSystem.hasNames(inFolder: path))
      }
      giveUp(after: patience.ofSync)
    }
  }

  private static func part(of time: Duration) -> DispatchTimeInterval {
    let (seconds, attoseconds) = (time / parts).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }

  package func picture(
    of original: FolderOriginal,
    in folder: WebAddress
  ) async -> PictureSource? {
    await run { (try? original.found(in: folder))?.picture }
  }

  private func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { waiting in queue.async { waiting.resume(returning: work()) } }
  }

  private static func content(
    of file: FolderFile,
    in folder: WebAddress,
    _ now: () -> Date
  ) -> FolderFileContent {
    guard let root = folder.filePath, let (descriptor, before) = open(file.path, in: root) else {
      return .unreadable
    }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: FileLimits.pictureHeadBytes)
    let count = pread(descriptor, &head, head.count, 0)
    guard count >= 0 else { return .unreadable }
    guard ImageHeader(head[..<count]) != nil else { return .notAPicture }
    var sample = PictureSample()
    var after = stat()
    guard
      let found = try? FileHash.sha256(
        of: descriptor,
        path: file.path,
        { sample.append(Array($0)) }
      ),
      fstat(descriptor, &after) == 0, version(of: after) == version(of: before),
      found.bytes == Int(after.st_size)
    else { return .unreadable }
    guard let check = PictureCheck(sample) else { return .notAPicture }
    // A file that ends early and has just been written is mostly still being copied.
    let age = now().timeIntervalSince(modified(after))
    if check.completeness == .cut, (0..<settling).contains(age) { return .unreadable }
    let sha256 = found.hash.hexadecimal
    return .picture(sha256: sha256, check.info, version: version(of: after))
  }

  /// The seconds after which a file that ends early is no longer expected to grow.
  private static let settling = 60.0

  // MARK: Files

  /// Opens a regular file below a folder without following a link there; nil when there is no such file.
  ///
  /// - Returns: A descriptor, which the caller closes, and the status of the file.
  static func open(_ path: String, in root: String) -> (descriptor: Int32, status: stat)? {
    // Opening a pipe must not wait for its writer.
    let file = openBeneath(root, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      return nil
    }
    return (file, status)
  }

  /// Opens a file or a folder below a folder without following a link there; -1 when that is not possible.
  static func openBeneath(_ root: String, _ path: String, _ flags: Int32) -> Int32 {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.utf8.contains(0), let name = parts.last,
      parts.allSatisfy({ !["", ".", ".."].contains($0) })
    else { return -1 }
    var folder = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return -1 }
    defer { if folder >= 0 { close(folder) } }
    let file = clinux_open_beneath(folder, path, flags)
    if file >= 0 || errno != ENOSYS { return file }
    for part in parts.dropLast() {
      let next = openFolder(String(part), in: folder)
      close(folder)
      folder = next
      if folder < 0 { return -1 }
    }
    return openat(folder, String(name), flags | O_NOFOLLOW)
  }

  /// Opens a folder in another one; fails on a link to a folder.
  static func openFolder(_ name: String, in folder: Int32) -> Int32 {
    openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
  }

  /// The version of a file: its length, inode number and time of the last change in nanoseconds.
  static func version(of status: stat) -> String {
    let time = status.st_mtim
    let parts = [
      Int(status.st_size), Int(truncatingIfNeeded: status.st_ino), time.tv_sec, time.tv_nsec,
    ]
    return parts.map { String($0, radix: 16) }.joined(separator: "-")
  }

  static func modified(_ status: stat) -> Date {
    Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
  }
}

extension FolderOriginal {
  /// The original of an image as a file of its folder; nil unless the file is there and has the content that the
  /// library knows.
  ///
  /// A file whose length, inode number and time are known is not read. Any other is read whole.
  package func found(in folder: WebAddress) throws(StoreError) -> StoredOriginal? {
    guard let root = folder.filePath, let path = path(in: folder),
      let (descriptor, status) = PictureFolder.open(path, in: root)
    else { return nil }
    let file = root + path
    let time = status.st_mtim
    let opened = OpenedFile(
      path: file,
      descriptor: descriptor,
      changed: (time.tv_sec, time.tv_nsec),
      close: { close($0) }
    )
    if PictureFolder.version(of: status) != version {
      var after = stat()
      guard Int(status.st_size) == info.bytes,
        try FileHash.sha256(of: descriptor, path: file).hash.hexadecimal == sha256,
        fstat(descriptor, &after) == 0,
        PictureFolder.version(of: after) == PictureFolder.version(of: status)
      else { return nil }
    }
    var original = StoredOriginal(path: file, sha256: sha256, info: info, isStale: false)
    original.address = address
    original.checkDate = Self.checkDate
    original.isInPlace = true
    original.file = opened
    return original
  }

  /// The same on a thread of the folder, so that a drive that does not answer stops only those who wait for its files.
  package func foundApart(in folder: WebAddress) async throws(StoreError) -> StoredOriginal? {
    try await Self.queue(of: folder).run { () throws(StoreError) in try self.found(in: folder) }
  }

  /// The queues of folders, by their addresses; there are as many as folders that are followed.
  private static let queues = Locked<[WebAddress: DispatchQueue]>([:])

  static func queue(of folder: WebAddress) -> DispatchQueue {
    queues.withLock { queues in
      if let queue = queues[folder] { return queue }
      let queue = DispatchQueue(label: "gallery.folder")
      queues[folder] = queue
      return queue
    }
  }

  /// The path of the file in its folder; nil for an address outside.
  package func path(in folder: WebAddress) -> String? {
    guard let root = folder.filePath, let file = address.filePath,
      file.utf8.starts(with: root.utf8), root.utf8.last == UInt8(ascii: "/")
    else { return nil }
    return String(decoding: file.utf8.dropFirst(root.utf8.count), as: UTF8.self)
  }
}
