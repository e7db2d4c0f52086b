import CDispatch
import CLinux
import Glibc
import Hummingbird
import Models
import NIOCore
import NIOHTTP1
import NIOPosix
import PictureFiles
import Web
import Workers

/// An open file, which stays readable when it is renamed or deleted.
final class OpenFile: Sendable {
  enum Problem: Error { case changed }

  private let descriptor: CInt
  /// What it was when it was opened.
  let identity: FileIdentity

  /// Others may be able to write to a folder that is a feed, so a link or a pipe in place of the file counts as missing.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - length: The least length of the file in bytes.
  ///   - isWaiting: Whether to wait for a disk that has to look up the path.
  /// - Throws: when the file is missing, or shorter than `length`, or cannot be opened without waiting.
  init(path: String, length: Int, isWaiting: Bool = true) throws {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = isWaiting ? open(path, flags) : clinux_open_cached(path, flags)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) >= length
    else {
      // `deinit` would close it again if the descriptor were set.
      if file >= 0 { close(file) }
      throw WebProblem(status: 404, title: "Not found", detail: "the file is missing")
    }
    descriptor = file
    identity = FileIdentity(status)
  }

  private init(_ descriptor: CInt, _ identity: FileIdentity) {
    (self.descriptor, self.identity) = (descriptor, identity)
  }

  deinit { close(descriptor) }

  /// Opens a file on a thread for blocking work.
  ///
  /// A disk or a server of files that does not answer would stop a thread of the tasks, of which there are few.
  static func at(_ path: String, length: Int) async throws -> OpenFile {
    try await onThread { try OpenFile(path: path, length: length) }
  }

  fileprivate static func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(work)
  }

  /// The file of an original; for one in a folder that is a feed, the file that was checked, whatever has its path now.
  ///
  /// - Throws: when the file is missing, or shorter than the original.
  static func of(_ original: StoredOriginal) async throws -> OpenFile {
    guard let checked = original.file else {
      return try await at(original.path, length: original.info.bytes)
    }
    return try await onThread {
      let descriptor = fcntl(checked.descriptor, F_DUPFD_CLOEXEC, 0)
      var status = stat()
      guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
        throw WebProblem(status: 503, title: "Too many open files")
      }
      var identity = FileIdentity(status)
      // It may have been changed since it was checked.
      (identity.seconds, identity.nanoseconds) = checked.changed
      return OpenFile(descriptor, identity)
    }
  }

  /// Whether its content has not been changed since it was opened.
  var isAsOpened: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  /// The same, for a task.
  func isStillAsOpened() async throws -> Bool { try await Self.onThread { self.isAsOpened } }

  /// A body with a part of the file.
  ///
  /// - Parameters:
  ///   - range: The part.
  ///   - eventLoop: The event loop of the connection.
  ///   - removal: What removes the place from the file; nil to send it as it is.
  ///   - isRight: Whether the bytes are still the right ones; called after the last of them is read, and with a removal,
  ///     which fits no other bytes, after each piece.
  ///   - whenSent: Called at the end.
  /// - Returns: The body, which ends early when the file has become shorter, or its bytes are not right.
  func body(
    _ range: Range<Int>,
    on eventLoop: any EventLoop,
    without removal: PlaceRemoval? = nil,
    while isRight: @escaping @Sendable () async throws -> Bool = { true },
    whenSent: @escaping @Sendable () async -> Void = {}
  ) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
      try await self.write(range, to: &writer, on: eventLoop, without: removal, while: isRight)
      try await writer.finish(nil)
      await whenSent()
    }
  }

  /// Writes a part of the file, as fast as the client reads, with one or two pieces of it in memory.
  ///
  /// Each piece passes through the connection's event loop. When a piece arrives, the previous one has been sent, or
  /// the connection knows that its client is too slow. Otherwise many pieces would wait there.
  @concurrent func write(
    _ range: Range<Int>,
    to writer: inout any ResponseBodyWriter,
    on eventLoop: any EventLoop,
    without removal: PlaceRemoval? = nil,
    while isRight: @Sendable () async throws -> Bool = { true }
  ) async throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let part = offset..<min(offset + Limits.fileChunk, range.upperBound)
      // Runs on a thread for blocking work, because the disk may be slow.
      let piece = try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { [self] in
        var piece = buffer(part)
        piece.withUnsafeMutableReadableBytes { removal?.apply(to: $0, at: part.lowerBound) }
        return piece
      }.get()
      guard piece.readableBytes > 0 else { throw Problem.changed }
      offset += piece.readableBytes
      if offset == range.upperBound || removal != nil, try await !isRight() {
        throw Problem.changed
      }
      try await writer.write(piece)
    }
  }

  /// Reads a range of bytes; returns fewer at the end of the file.
  func buffer(_ range: Range<Int>) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: range.count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return buffer
  }

  /// Reads bytes into an array; nil when some are missing.
  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, read in
      read = max(0, pread(descriptor, room.baseAddress, count, off_t(offset)))
    }
    return bytes.count == count ? bytes : nil
  }

  /// Finds what removes the place from the first bytes of the file.
  ///
  /// - Throws: when the file cannot be sent without its place.
  func placeRemoval(length: Int) async throws -> PlaceRemoval {
    try await Self.onThread {
      try PlaceRemoval(length: length) { self.bytes(at: $0, count: $1) }
    }
  }

  // MARK: Without a copy

  /// Whether this machine tells what is in memory, and keeps the file itself: `isInMemory` is true only then.
  ///
  /// Of a file that the process may only read, mincore(2) says that all is in memory, whoever asks. Opening and looking
  /// at a file of another machine asks that machine.
  var isMemoryKnown: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
      && clinux_distant_file_system(descriptor) == nil
  }

  /// Whether all of its bytes are in memory, so that sendfile(2) does not wait for the disk (mincore(2)).
  ///
  /// Of another user's file that may only be read, Linux says so always: findings/mincore-of-other-users-files.sh.
  var isInMemory: Bool {
    let length = identity.bytes
    if length == 0 { return true }
    guard let start = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else { return false }
    defer { munmap(start, length) }
    let page = Int(getpagesize())
    var pages = [UInt8](repeating: 0, count: (length + page - 1) / page)
    return mincore(start, length, &pages) == 0 && pages.allSatisfy { $0 & 1 == 1 }
  }

  /// Sends all of its bytes over a plain connection, without a copy (sendfile(2)).
  ///
  /// A file that becomes shorter meanwhile ends the connection. Otherwise the event loop would try to send the missing
  /// bytes again and again, because the socket can take them.
  ///
  /// - Parameters:
  ///   - encoder: The place of the encoder of answers in the connection.
  ///   - sent: Completes when the last byte has been sent, or when it never will.
  func send(through encoder: ChannelHandlerContext, _ sent: EventLoopPromise<Void>) {
    // NIO lets one connection at a time use a handle, so each has its own; the descriptor stays that of this file.
    let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
    let (channel, pause) = (encoder.channel, TimeAmount.seconds(Limits.fileCheckSeconds))
    let check = encoder.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
      if !self.isAsOpened { channel.close(promise: nil) }
    }
    sent.futureResult.whenComplete { _ in
      check.cancel()
      // Without this, it would take the end of the handle for a leak; `deinit` closes the descriptor.
      withExtendedLifetime(self) { _ = try? handle.takeDescriptorOwnership() }
    }
    let region = FileRegion(fileHandle: handle, readerIndex: 0, endIndex: identity.bytes)
    encoder.write(HTTPResponseEncoder.wrapOutboundOut(.fileRegion(region)), promise: sent)
  }
}

/// What tells whether a path still leads to the same file with the same content.
struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  let bytes: Int
  /// When its content was last changed.
  fileprivate(set) var seconds: Int
  fileprivate(set) var nanoseconds: Int

  init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    bytes = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

/// The file of an original as the routes have opened and checked it.
///
/// It is opened again for each answer. An open descriptor would keep the room of a file that is deleted.
struct KeptFile: Sendable {
  private let path: String
  private let identity: FileIdentity

  /// The file as it may be sent again; looks at it on a thread, because its disk may be slow to answer.
  static func of(_ file: OpenFile, at path: String, length: Int) async throws -> KeptFile? {
    try await OpenFile.onThread { KeptFile(file, at: path, length: length) }
  }

  /// Nil for a file that is too long to be sent at once, or longer than its original, or for which an event loop may
  /// have to wait.
  init?(_ file: OpenFile, at path: String, length: Int) {
    guard file.identity.bytes == length, length <= Limits.sentFileBytes, file.isMemoryKnown else {
      return nil
    }
    (self.path, identity) = (path, file.identity)
  }

  var length: Int { identity.bytes }

  /// The file; nil when its path leads to another one by now, when it has been changed, or when the disk would have to
  /// look up the path.
  func opened() -> OpenFile? {
    let file = try? OpenFile(path: path, length: length, isWaiting: false)
    return file?.identity == identity ? file : nil
  }
}
