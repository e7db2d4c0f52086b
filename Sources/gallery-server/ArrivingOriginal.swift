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

/// An original on its way from a feed's server through this one: what the scene says of it, for the writer of a body.
final class OriginalArrival: Sendable {
  /// How the answer begins.
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
    // The last two tell the end; a client that reads slowly needs no older ones.
    (events, teller) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(8))
  }

  fileprivate func tell(_ event: Event) { teller.yield(event) }

  /// Ends it; the problem counts only when nothing else has ended it before.
  func end(with problem: WebProblem) {
    teller.yield(.failed(problem))
    teller.finish()
  }

  /// Waits until the format is known, or until there is nothing to wait for.
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

  /// Writes what has come, and then what comes, to the end of the original.
  @concurrent func write(
    to writer: inout any ResponseBodyWriter,
    on eventLoop: any EventLoop
  ) async throws {
    guard let file = file.withLock({ $0 }) else { return }
    var written = 0
    for await event in events {
      switch event {
      case .progress(let received, _, _):
        // A transfer that begins again may have other bytes: the client cannot take back what it has.
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
    // A stored one that is shown in its place comes next.
    if response.stored == nil {
      arrival.tell(.failed(WebProblem(Fail.ViewModel(response))))
    }
  }

  func presentFailure(response: Fail.Response) {
    arrival.tell(.failed(WebProblem(Fail.ViewModel(response))))
  }

  // The browser has the thumbnail already, and decodes the original itself.
  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {}
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {}
  func presentDescribedImage(response: ShowImage.DescribeImage.Response) {}
  func presentExplainedImage(response: ShowImage.ExplainImage.Response) {}
  func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {}
}

/// A file that stays readable when it gets another name, or none.
final class OpenFile: Sendable {
  enum Problem: Error { case changed }

  private let descriptor: CInt

  /// - Throws: when there is no such file, or when it is shorter than it should be.
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

  /// Writes a part of the file, as fast as the client reads, with a piece or two of it in memory.
  ///
  /// Each piece comes by way of the connection's event loop: when it has come, the one before was sent, or the
  /// connection knows that its client is too slow for more. Else many would wait there.
  @concurrent func write(
    _ range: Range<Int>,
    to writer: inout any ResponseBodyWriter,
    on eventLoop: any EventLoop
  ) async throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let part = offset..<min(offset + Limits.fileChunk, range.upperBound)
      // On a thread for what blocks: the disk may be slow.
      let piece = try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { [self] in
        buffer(part)
      }.get()
      guard piece.readableBytes > 0 else { throw Problem.changed }
      offset += piece.readableBytes
      try await writer.write(piece)
    }
  }

  /// Some bytes; fewer at the end of the file.
  fileprivate func buffer(_ range: Range<Int>) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: range.count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return buffer
  }
}
