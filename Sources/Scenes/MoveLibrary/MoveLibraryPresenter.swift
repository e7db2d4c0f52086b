import Models
import Workers

/// The responses that the interactor presents.
package protocol MoveLibraryPresentationLogic {
  func presentMoveProgress(response: MoveLibrary.Move.Progress.Response)
  func presentMoveNote(response: MoveLibrary.Move.Note.Response)
  func presentMovedLibrary(response: MoveLibrary.Move.Ended.Response)
  func presentFailure(response: Fail.Response)
}

/// A display for people.
package typealias MoveLibraryDisplayLogic = RunDisplayLogic

/// Makes text for people.
package struct MoveLibraryPresenter: MoveLibraryPresentationLogic {
  private let display: any MoveLibraryDisplayLogic

  package init(display: any MoveLibraryDisplayLogic) { self.display = display }

  package func presentMoveProgress(response: MoveLibrary.Move.Progress.Response) {
    display.displayProgress(viewModel: .init(line: Wording.progressLine(response.counts)))
  }

  package func presentMoveNote(response: MoveLibrary.Move.Note.Response) {
    guard let text = Wording.note(response.fact) else { return }
    display.displayNote(viewModel: .init(text: text))
  }

  package func presentMovedLibrary(response: MoveLibrary.Move.Ended.Response) {
    display.displayEnd(
      viewModel: .init(text: Wording.summary(response), outcome: response.outcome)
    )
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

/// Makes records for scripts.
package struct MoveLibraryJSONPresenter: MoveLibraryPresentationLogic {
  private let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  /// Presents nothing: scripts read the records.
  package func presentMoveProgress(response: MoveLibrary.Move.Progress.Response) {}

  package func presentMoveNote(response: MoveLibrary.Move.Note.Response) {
    let record: Record
    switch response.fact {
    case .damagedThumbnail(let id):
      record = ["event": "damaged", "kind": "thumbnail", "ids": .numbers([id])]
    case .missingOriginal(let hash):
      record = ["event": "missing", "kind": "original", "sha256": .text(hash.hexadecimal)]
    case .ended, .interrupted, .failed: return
    }
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentMovedLibrary(response: MoveLibrary.Move.Ended.Response) {
    let counts = response.counts
    let record: Record = [
      "event": "moved",
      "to": .text(response.place),
      "images": .number(counts.images),
      "thumbnails": .number(counts.thumbnails),
      "originals": .number(counts.originals),
      "changedRows": .number(counts.changedRows),
      "copiedBytes": .number(counts.copiedBytes),
      "missing": .number(counts.missing),
      "objects": .number(counts.objects),
      "waitingObjects": .number(counts.waitingObjects),
      "interrupted": .flag(response.isInterrupted),
    ]
    display.displayRecords(viewModel: .init(record, outcome: response.outcome))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}
