public import GalleryLibrary
internal import Scenes

/// The models of failures, which all scenes share.
public enum Fail {
  /// The facts of a failure.
  public struct Response {
    /// The reason.
    public let error: LibraryError
    /// What cannot be done and why, as a sentence.
    let message: String

    init(_ error: LibraryError, _ message: String) { (self.error, self.message) = (error, message) }

    /// A failure whose reason says all.
    init(_ error: LibraryError) { self.init(error, error.description) }

    init(_ response: Scenes.Fail.Response) {
      self.init(
        LibraryError(response.failure),
        Scenes.Fail.ViewModel(response).message.withoutHints
      )
    }
  }

  /// A failure in words.
  public struct ViewModel: Sendable, Equatable {
    /// What cannot be done, why, and what still works.
    public var message: String

    /// Makes a view model, for presenters of your own and for tests of displays.
    public init(message: String) { self.message = message }

    init(_ response: Response) { message = HarmlessText.line(response.message) }
  }
}
