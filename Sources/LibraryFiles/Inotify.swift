import CLinux
import Dispatch
import Glibc
import Workers

/// Lets the kernel tell of changes in folders (inotify(7)).
final class Inotify: Sendable {
  /// A change in a folder, or of the folder itself.
  struct Event {
    /// The number of the folder; -1 when changes were lost.
    let folder: Int32
    /// What has changed, and a flag if that is a folder.
    private let mask: UInt32
    /// The name in the folder; nil for the folder itself, and for a name that is not UTF-8.
    let name: String?

    fileprivate init(folder: Int32, mask: UInt32, name: String?) {
      (self.folder, self.mask, self.name) = (folder, mask, name)
    }

    /// Whether it is one of these kinds.
    func has(_ kinds: Int32) -> Bool { mask & UInt32(kinds) != 0 }
  }

  /// The kinds of changes in a folder: a file that was closed after writing, another name, a deleted file, a new name,
  /// other permissions; and the end of the folder itself.
  private static let kinds: UInt32 = [
    IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE, IN_CREATE, IN_ATTRIB, IN_DELETE_SELF,
    IN_MOVE_SELF, IN_ONLYDIR,
  ].reduce(0) { $0 | UInt32($1) }
  /// The length of an event without its name.
  private static let headLength = 16
  /// Room for a thousand events.
  private static let bufferLength = 64 << 10

  private let descriptor: Int32

  init() throws(FolderWatchProblem) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw Self.problem(errno, limit: "fs.inotify.max_user_instances") }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Begins to tell of changes in an open folder.
  ///
  /// - Returns: The number of the folder, which stays the same when it is added again.
  func add(_ folder: Int32) throws(FolderWatchProblem) -> Int32 {
    // The path leads to the folder that was opened, whatever has its name by now (proc_pid_fd(5)).
    let number = inotify_add_watch(descriptor, "/proc/self/fd/\(folder)", Self.kinds)
    guard number >= 0 else { throw Self.problem(errno, limit: "fs.inotify.max_user_watches") }
    return number
  }

  /// Does not tell of changes in a folder any more; the last event is `IN_IGNORED`.
  func remove(_ folder: Int32) { _ = inotify_rm_watch(descriptor, folder) }

  /// Passes on the events that come, until the receiver returns false.
  func listen(on queue: DispatchQueue, _ receive: @escaping @Sendable ([Event]) -> Bool) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { if !receive(self.events()) { source.cancel() } }
    // The descriptor must not be closed before.
    source.setCancelHandler { withExtendedLifetime(self) {} }
    source.activate()
  }

  /// The events that wait; empty when there are none.
  func events() -> [Event] {
    var buffer = [UInt8](repeating: 0, count: Self.bufferLength)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return [] }
    var events: [Event] = []
    buffer.withUnsafeBytes { bytes in
      var start = 0
      while start + Self.headLength <= count {
        let length = Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
        let end = min(start + Self.headLength + length, count)
        let name = bytes[(start + Self.headLength)..<end].prefix { $0 != 0 }
        events.append(
          Event(
            folder: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
            mask: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
            name: name.isEmpty ? nil : String(validating: Array(name), as: UTF8.self)
          )
        )
        start = end
      }
    }
    return events
  }

  private static func problem(_ code: Int32, limit: String) -> FolderWatchProblem {
    code == ENOSPC || code == EMFILE ? .limit(limit) : .system(String(cString: strerror(code)))
  }

  // MARK: File systems

  /// The name of the file system of an open folder if its changes are not all told; nil for any other.
  static func blindFileSystem(of folder: Int32) -> String? {
    clinux_distant_file_system(folder).map { String(cString: $0) }
  }
}
