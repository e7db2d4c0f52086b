import CDispatch
import Glibc
import Hummingbird
import Models
import NIOCore
import NIOPosix
import PictureFiles
import Scenes
import Web
import Workers

/// An original on its way from a feed's server to a client: passes the scene's events to the writer of the body.
final class OriginalArrival: Sendable {
  /// The beginning of the answer.
  enum Beginning: Sendable {
    case stored(hash: String)
    case arriving(format: ImageFormat, total: Int?)
    case failed(WebProblem)
  }

  fileprivate enum Event: Sendable {
    case progress(received: Int, total: Int?, path: String?)
    case fetched(StoredOriginal)
    case failed(WebProblem)
  }

  private let events: AsyncStream<Event>
  private let teller: AsyncStream<Event>.Continuation
  private let file = Locked<OpenFile?>(nil)

  init() {
    // The last two events describe the end; a client that reads slowly does not need older ones.
    (events, teller) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(8))
  }

  fileprivate func tell(_ event: Event) { teller.yield(event) }

  /// Ends the arrival; the problem is ignored if another event has ended it before.
  func end(with problem: WebProblem) {
    teller.yield(.failed(problem))
    teller.finish()
  }

  /// Waits until the format is known, or until the arrival has ended.
  var beginning: Beginning {
    get async {
      for await event in events {
        switch event {
        case .fetched(let original): return .stored(hash: original.sha256)
        case .failed(let problem): return .failed(problem)
        case .progress(let received, let total, let path):
          guard let path, received >= Limits.leastBeginning || received == total,
            let opened = try? OpenFile(path: path, length: received),
            let header = ImageHeader(
              Array(opened.buffer(0..<min(received, Limits.fileChunk)).readableBytesView)
            )
          else { continue }
          file.withLock { $0 = opened }
          return .arriving(format: header.format, total: total)
        }
      }
      return .failed(WebProblem(status: 500, title: "The original did not come"))
    }
  }

  /// Writes the bytes that have arrived, and then further bytes as they arrive, to the end of the original.
  @concurrent func write(
    to writer: inout any ResponseBodyWriter,
    on eventLoop: any EventLoop
  ) async throws {
    guard let file = file.withLock({ $0 }) else { return }
    var written = 0
    for await event in events {
      switch event {
      case .progress(let received, _, _):
        // A restarted transfer may have other bytes, and the client cannot discard those it has.
        guard received >= written else { throw OpenFile.Problem.changed }
        try await file.write(written..<received, to: &writer, on: eventLoop)
        written = received
      case .fetched(let original):
        let end = max(written, original.info.bytes)
        try await file.write(written..<end, to: &writer, on: eventLoop)
        return
      case .failed: throw OpenFile.Problem.changed
      }
    }
  }
}

/// The presenter of an original that is sent while it arrives.
struct ArrivingOriginalPresenter: ShowImagePresentationLogic {
  private let arrival: OriginalArrival

  init(_ arrival: OriginalArrival) { self.arrival = arrival }

  func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    var path: String?
    if case .file(let partial) = response.partial { path = partial }
    arrival.tell(.progress(received: response.received, total: response.total, path: path))
  }

  func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    arrival.tell(.fetched(response.fetched.original))
  }

  func presentUnavailableOriginal(response: ShowImage.FetchOriginal.Unavailable.Response) {
    // If a stored original replaces it, that is presented next.
    if response.stored == nil {
      arrival.tell(.failed(WebProblem(Fail.ViewModel(response))))
    }
  }

  func presentFailure(response: Fail.Response) {
    arrival.tell(.failed(WebProblem(Fail.ViewModel(response))))
  }

  // The browser already has the thumbnail, and decodes the original itself.
  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {}
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {}
  func presentDescribedImage(response: ShowImage.DescribeImage.Response) {}
  func presentExplainedImage(response: ShowImage.ExplainImage.Response) {}
  func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {}
}

/// An open file, which stays readable when it is renamed or deleted.
final class OpenFile: Sendable {
  enum Problem: Error { case changed }

  private let descriptor: CInt

  /// - Throws: when the file is missing, or shorter than `length`.
  init(path: String, length: Int) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, Int(status.st_size) >= length else {
      if descriptor >= 0 { close(descriptor) }
      throw WebProblem(status: 404, title: "Not found", detail: "the file is missing")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A body with a part of the file.
  func body(
    _ range: Range<Int>,
    on eventLoop: any EventLoop,
    whenSent: @escaping @Sendable () async -> Void = {}
  ) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
      try await self.write(range, to: &writer, on: eventLoop)
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
    on eventLoop: any EventLoop
  ) async throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let part = offset..<min(offset + Limits.fileChunk, range.upperBound)
      // Runs on a thread for blocking work, because the disk may be slow.
      let piece = try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { [self] in
        buffer(part)
      }.get()
      guard piece.readableBytes > 0 else { throw Problem.changed }
      offset += piece.readableBytes
      try await writer.write(piece)
    }
  }

  /// Reads a range of bytes; returns fewer at the end of the file.
  fileprivate func buffer(_ range: Range<Int>) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: range.count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return buffer
  }
}
