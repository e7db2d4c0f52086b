package import Scenes

/// Records the responses of a scene that does long work.
package final class RunPresentationSpy<Use: RunUseCase>: RunPresentationLogic {
  package enum Event: Equatable {
    case progress(Run.Progress.Response<Use.Counts>)
    case note(Use.NoteResponse)
    case ended(Use.EndResponse)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentProgress(response: Run.Progress.Response<Use.Counts>) {
    events.append(.progress(response))
  }

  package func presentNote(response: Use.NoteResponse) { events.append(.note(response)) }

  package func presentEnd(response: Use.EndResponse) { events.append(.ended(response)) }

  package func presentFailure(response: Fail.Response) { events.append(.failure(response)) }
}
