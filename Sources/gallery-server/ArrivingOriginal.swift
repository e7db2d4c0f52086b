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
    case progress(Progress)
    case fetched(FetchedOriginal)
    case failed(WebProblem)
  }

  fileprivate struct Progress: Sendable {
    /// The number of the version, as in `OriginalProgress`.
    var version: Int
    var received: Int
    var total: Int?
    var path: String?
  }

  private let events: AsyncStream<Event>
  private let teller: AsyncStream<Event>.Continuation
  private let file = Locked<ArrivingFile?>(nil)

  init() {
    // A client that reads slowly needs only the latest progress, which has the number of its version, and the end,
    // which is at most two events.
    (events, teller) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(8))
  }

  fileprivate func tell(_ event: Event) { teller.yield(event) }

  /// Ends the arrival; the problem is ignored if another event has ended it before.
  func end(with problem: WebProblem) {
    teller.yield(.failed(problem))
    teller.finish()
  }

  /// Waits until the format is known, or until the arrival has ended; for an original that is to be whole, always until
  /// it has ended.
  func beginning(isToBeWhole: Bool) async -> Beginning {
    for await event in events {
      switch event {
      case .fetched(let fetched): return .stored(hash: fetched.original.sha256)
      case .failed(let problem): return .failed(problem)
      case .progress(let progress):
        guard !isToBeWhole, let opened = ArrivingFile(progress), let format = opened.format else {
          continue
        }
        file.withLock { $0 = opened }
        return .arriving(format: format, total: progress.total)
      }
    }
    return .failed(WebProblem(status: 500, title: "The original did not come"))
  }

  /// Writes the bytes that have arrived, and then further bytes as they arrive, to the end of the original.
  ///
  /// - Throws: when the fetch fails, or goes on with another version: the client cannot discard the bytes it has.
  @concurrent func write(
    to writer: inout any ResponseBodyWriter,
    on eventLoop: any EventLoop
  ) async throws {
    guard let arriving = file.withLock({ $0 }) else { return }
    var written = 0
    for await event in events {
      let end = try arriving.end(after: event)
      if end > written {
        try await arriving.file.write(written..<end, to: &writer, on: eventLoop)
        written = end
      }
      if case .fetched = event { return }
    }
    throw OpenFile.Problem.changed
  }
}

/// How much has come of the originals that are fetched for clients now.
final class ArrivingOriginals: Sendable {
  /// The part of an original that has come, in bytes.
  struct Share: Equatable, Sendable {
    var received: Int
    /// The whole length; nil if the feed's server does not declare it.
    var total: Int?
  }

  private struct Fetches {
    var count = 0
    var share: Share?
  }

  private let fetches = Locked<[Int64: Fetches]>([:])

  /// Notes that a client fetches the original of an image; `end` follows.
  func begin(_ imageID: Int64) { fetches.withLock { $0[imageID, default: Fetches()].count += 1 } }

  func note(_ share: Share, of imageID: Int64) {
    fetches.withLock { $0[imageID]?.share = share }
  }

  func end(_ imageID: Int64) {
    fetches.withLock { fetches in
      fetches[imageID]?.count -= 1
      if fetches[imageID]?.count == 0 { fetches[imageID] = nil }
    }
  }

  /// Nil if none of its bytes are on their way.
  func share(of imageID: Int64) -> Share? { fetches.withLock { $0[imageID]?.share } }
}

/// The growing file of one version of an original, whose bytes and declared length belong together.
private struct ArrivingFile {
  let file: OpenFile
  private let beginning: OriginalArrival.Progress

  /// Nil before enough bytes have arrived to know the format.
  init?(_ progress: OriginalArrival.Progress) {
    guard let path = progress.path,
      progress.received >= Limits.leastBeginning || progress.received == progress.total,
      let file = try? OpenFile(path: path, length: progress.received)
    else { return nil }
    (self.file, beginning) = (file, progress)
  }

  /// The format that the first bytes show.
  var format: ImageFormat? {
    let bytes = file.buffer(0..<min(beginning.received, Limits.fileChunk))
    return ImageHeader(Array(bytes.readableBytesView))?.format
  }

  /// The end of the bytes to write after an event.
  ///
  /// The last byte of a declared length waits until the original is checked and stored, so an answer is whole only if
  /// the original is.
  func end(after event: OriginalArrival.Event) throws -> Int {
    switch event {
    case .progress(let latest) where latest.version == beginning.version:
      return beginning.total.map { min(latest.received, $0 - 1) } ?? latest.received
    case .fetched(let fetched) where fetched.wasDownloaded:
      let length = fetched.original.info.bytes
      guard length == beginning.total ?? length else { throw OpenFile.Problem.changed }
      return length
    default: throw OpenFile.Problem.changed
    }
  }
}

/// The presenter of an original that is sent while it arrives.
struct ArrivingOriginalPresenter: ShowImagePresentationLogic {
  private let arrival: OriginalArrival
  private let all: ArrivingOriginals

  init(_ arrival: OriginalArrival, among all: ArrivingOriginals) {
    (self.arrival, self.all) = (arrival, all)
  }

  func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    // Nothing has arrived from a server that is to be asked again.
    if response.wait != nil { return }
    let share = ArrivingOriginals.Share(received: response.received, total: response.total)
    all.note(share, of: response.imageID)
    var path: String?
    if case .file(let partial) = response.partial { path = partial }
    arrival.tell(
      .progress(
        OriginalArrival.Progress(
          version: response.version,
          received: response.received,
          total: response.total,
          path: path
        )
      )
    )
  }

  func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    arrival.tell(.fetched(response.fetched))
  }

  func presentUnavailableOriginal(response: ShowImage.FetchOriginal.Unavailable.Response) {
    // If a stored original replaces it, that is presented next.
    guard response.stored == nil else { return }
    var problem = WebProblem(Fail.ViewModel(response))
    // A file that is not there will not be there soon, unlike the picture of a server that does not answer.
    if case .network(let error) = response.failure, error.reason == .unreadableFile {
      (problem.status, problem.title) = (404, GalleryServer.notFound.title)
    }
    arrival.tell(.failed(problem))
  }

  func presentFailure(response: Fail.Response) {
    arrival.tell(.failed(WebProblem(Fail.ViewModel(response))))
  }

  // The browser already has the thumbnail, and decodes the original itself.
  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {}
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {}
  func presentDescribedImage(response: ShowImage.DescribeImage.Response) {}
  func presentExplainedImage(response: ShowImage.ExplainImage.Response) {}
  func presentFetchedNewer(response: ShowImage.FetchNewer.Response) {}
  func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {}
}
