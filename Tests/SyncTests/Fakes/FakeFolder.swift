import FoundationEssentials
import Models
import TestSupport
import Workers

/// A folder of pictures in memory, the newest file first.
final class FakeFolder: PictureFolderReading {
  static let address = WebAddress(filePath: "/photos/", relativeTo: "/")

  private struct State: Sendable {
    /// The files in their order, each with its content; nil for a file that cannot be read.
    var files: [(path: String, content: String?)] = []
    /// The order in which the paths came first, from which their dates follow.
    var numbers: [String: Int] = [:]
    var flaws: [DocumentFlaw] = []
    var isMissing = false
    var reads: [String] = []
    var listings = 0
    /// Other paths of the folder.
    var links: Set<WebAddress> = []
  }

  private let state = Locked(State())

  init(_ files: KeyValuePairs<String, String?>) { put(files) }

  /// Replaces all files; the content "text" is that of no picture.
  func put(_ files: KeyValuePairs<String, String?>) { put(files.map { ($0.key, $0.value) }) }

  func put(_ files: [(path: String, content: String?)]) {
    state.withLock { state in
      state.files = files
      for (path, _) in files where state.numbers[path] == nil {
        state.numbers[path] = state.numbers.count
      }
    }
  }

  func setFlaws(_ flaws: [DocumentFlaw]) { state.withLock { $0.flaws = flaws } }

  func setMissing(_ isMissing: Bool) { state.withLock { $0.isMissing = isMissing } }

  /// Makes an address one of the folder, too.
  func link(_ address: WebAddress) { state.withLock { _ = $0.links.insert(address) } }

  func place(of folder: WebAddress, among known: [WebAddress]) async -> WebAddress {
    let isSame = state.withLock { $0.links.contains(folder) }
    return isSame ? known.first { $0 == Self.address } ?? folder : folder
  }

  /// The paths of the files that were read since the last call, in their order.
  func takeReads() -> [String] {
    state.withLock { state in
      defer { state.reads = [] }
      return state.reads
    }
  }

  /// How often the folder was listed.
  var listings: Int { state.withLock { $0.listings } }

  func contents(
    of folder: WebAddress,
    explains: Bool
  ) async throws(NetworkError) -> FolderContents {
    let state = state.withLock { state in
      state.listings += 1
      return state
    }
    if state.isMissing {
      throw NetworkError(reason: .unreadableFile, address: folder, message: "it is missing")
    }
    let files = state.files.map { file in
      FolderFile(
        address: WebAddress(filePath: (folder.filePath ?? "/") + file.path, relativeTo: "/"),
        path: file.path,
        version: "\(file.path) \(file.content ?? "unreadable")",
        bytes: 10,
        modified: Date(timeIntervalSince1970: Double(1_000_000 - (state.numbers[file.path] ?? 0)))
      )
    }
    let passed = EntryExplanation.Passed(address: "notes.txt", place: .file, reason: .otherName)
    return FolderContents(files: files, flaws: state.flaws, passed: explains ? [passed] : [])
  }

  func read(_ file: FolderFile, in folder: WebAddress) async -> FolderFileContent {
    let content = state.withLock { state in
      state.reads.append(file.path)
      return state.files.first { $0.path == file.path }?.content
    }
    guard let content else { return .unreadable }
    if content == "text" { return .notAPicture }
    let info = PictureInfo(format: .jpeg, bytes: 10, width: 4, height: 3)
    let hash = SHA256Digest(of: Array(content.utf8)).hexadecimal
    return .picture(sha256: hash, info, version: file.version)
  }

  func picture(of original: FolderOriginal, in folder: WebAddress) async -> PictureSource? {
    guard let path = original.address.filePath else { return nil }
    let content = state.withLock { state in
      state.files.first { "/photos/\($0.path)" == path }?.content
    }
    guard let content, SHA256Digest(of: Array(content.utf8)).hexadecimal == original.sha256 else {
      return nil
    }
    return .file(path: path)
  }
}

/// A watch of folders that tells of changes when a test says so.
final class FakeFolderWatch: FolderWatching {
  private struct State: Sendable {
    var status: FolderWatchStatus
    var watched: Set<WebAddress> = []
    var whenChanged: (@Sendable (WebAddress) -> Void)?
  }

  private let state: Locked<State>

  /// The status of each folder after the first look at it.
  init(_ status: FolderWatchStatus = .watched(isNew: false)) {
    state = Locked(State(status: status))
  }

  /// The folders that are watched now.
  var watched: Set<WebAddress> { state.withLock { $0.watched } }

  func begin(_ whenChanged: @escaping @Sendable (WebAddress) -> Void) -> FakeFolderWatch {
    state.withLock { $0.whenChanged = whenChanged }
    return self
  }

  func tell(_ folder: WebAddress) { state.withLock { $0.whenChanged }?(folder) }

  func watch(_ folder: WebAddress) async -> FolderWatchStatus {
    state.withLock { state in
      let isNew = state.watched.insert(folder).inserted
      return isNew && state.status == .watched(isNew: false) ? .watched(isNew: true) : state.status
    }
  }

  func unwatch(_ folder: WebAddress) { state.withLock { _ = $0.watched.remove(folder) } }
}
