import Workers

/// The models of long work, which all scenes share.
package enum Run {
  /// The progress, several times a second.
  package enum Progress {
    package struct Response<Counts: Equatable>: Equatable {
      package var counts: Counts
    }

    package struct ViewModel: Equatable {
      package var line: ProgressLine
    }
  }

  /// A message during the work.
  package enum Note {
    package struct ViewModel: Equatable {
      package enum Kind {
        case result
        case problem
        /// A path, which a terminal does not wrap.
        case path
      }

      package var text: HintedText
      package var kind = Kind.result
    }
  }

  package enum Ended {
    package struct ViewModel: Equatable {
      package var text: HintedText
      package var outcome: Outcome
    }
  }
}

/// A use case that does long work: its responses, in words for people and as records for scripts.
package protocol RunUseCase {
  associatedtype Counts: Equatable & Sendable
  associatedtype NoteResponse: Equatable
  associatedtype EndResponse: Equatable

  static func progressLine(_ counts: Counts) -> ProgressLine
  /// The message of a note; nil for one that people do not read.
  static func note(_ response: NoteResponse) -> Run.Note.ViewModel?
  /// The record of a note; nil for one that scripts do not read.
  static func record(_ response: NoteResponse) -> Record?
  static func summary(_ response: EndResponse) -> HintedText
  static func record(_ response: EndResponse) -> Record
  static func outcome(_ response: EndResponse) -> Outcome
}

/// The responses of long work.
package protocol RunPresentationLogic<Use> {
  associatedtype Use: RunUseCase

  func presentProgress(response: Run.Progress.Response<Use.Counts>)
  func presentNote(response: Use.NoteResponse)
  func presentEnd(response: Use.EndResponse)
  func presentFailure(response: Fail.Response)
}

/// A display of long work, for people.
package protocol RunDisplayLogic {
  func displayProgress(viewModel: Run.Progress.ViewModel)
  func displayNote(viewModel: Run.Note.ViewModel)
  func displayEnd(viewModel: Run.Ended.ViewModel)
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes text of long work, for people.
package protocol RunTextPresentation: RunPresentationLogic {
  var runDisplay: any RunDisplayLogic { get }
}

extension RunTextPresentation {
  package func presentProgress(response: Run.Progress.Response<Use.Counts>) {
    runDisplay.displayProgress(viewModel: .init(line: Use.progressLine(response.counts)))
  }

  package func presentNote(response: Use.NoteResponse) {
    Use.note(response).map(runDisplay.displayNote)
  }

  package func presentEnd(response: Use.EndResponse) {
    runDisplay.displayEnd(
      viewModel: .init(text: Use.summary(response), outcome: Use.outcome(response))
    )
  }

  package func presentFailure(response: Fail.Response) {
    runDisplay.displayFailure(viewModel: .init(response))
  }
}

/// Makes records of long work, for scripts; they read no progress.
package protocol RunRecordPresentation: RunPresentationLogic {
  var display: any RecordDisplayLogic { get }
}

extension RunRecordPresentation {
  package func presentProgress(response: Run.Progress.Response<Use.Counts>) {}

  package func presentNote(response: Use.NoteResponse) {
    guard let record = Use.record(response) else { return }
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentEnd(response: Use.EndResponse) {
    display.displayRecords(viewModel: .init(Use.record(response), outcome: Use.outcome(response)))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

/// The presenter for people of a scene that only does long work.
package struct RunPresenter<Use: RunUseCase>: RunTextPresentation {
  package let runDisplay: any RunDisplayLogic

  package init(display: any RunDisplayLogic) { runDisplay = display }
}

/// The presenter for scripts of a scene that only does long work.
package struct RunJSONPresenter<Use: RunUseCase>: RunRecordPresentation {
  package let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }
}
