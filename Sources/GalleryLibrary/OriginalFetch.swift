internal import Composition
internal import Models
internal import Scenes
internal import Workers

/// The way of an original to this disk: its progress, and its file at the end.
///
/// Each iteration looks for the original once, and ends with ``Event/file(_:)`` or throws ``LibraryError``. Without a
/// stored original, it is fetched from its server. A cancelled task ends the iteration with
/// ``LibraryError/Kind/cancelled``; what has arrived is kept for the next fetch, and never passes for a picture.
public struct OriginalFetch: AsyncSequence, Sendable {
  public typealias Element = Event
  public typealias Failure = LibraryError

  /// A step of the fetch.
  public enum Event: Sendable, Equatable {
    /// The number of bytes that have arrived, and the number of all bytes; nil while it is unknown.
    ///
    /// A transfer that starts again may bring fewer bytes than the event before.
    case progress(received: Int, total: Int?)
    /// The original, which is whole; it comes once and last.
    case file(PictureFile)
  }

  let root: CompositionRoot
  let works: RunningWorks
  let imageID: Int64

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      work: RunningWork(of: works) { [root, imageID] tell, stop in
        await Self.fetch(imageID, from: root, tell, stop)
      }
    )
  }

  /// Fetches the original once.
  public struct Iterator: AsyncIteratorProtocol {
    private var work: RunningWork<Event>

    init(work: RunningWork<Event>) { self.work = work }

    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LibraryError) -> Event? {
      try await work.next(isolation: actor)
    }
  }

  private static func fetch(
    _ imageID: Int64,
    from root: CompositionRoot,
    _ tell: @escaping RunningWork<Event>.Tell,
    _ stop: StopRequest
  ) async -> LibraryError? {
    let answer = ImageAnswer(tell: tell)
    do throws(RequestFailure) {
      let interactor = root.scene(of: try await root.image(imageID), answer)
      await interactor.fetchOriginal(request: .init(holdTime: .untilNext, stop: stop))
    } catch {
      return LibraryError(error)
    }
    return answer.hasFile ? nil : answer.failure ?? .cancelled
  }
}
