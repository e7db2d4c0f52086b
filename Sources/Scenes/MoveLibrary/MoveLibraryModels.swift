import Models
package import Workers

/// The models of the scene that copies the library to another place, for each purpose of a copy.
package enum MoveLibrary {
  package enum Move {
    package struct Request: Sendable {
      /// Ends the copy early; the next one continues from there.
      package var stop: StopRequest

      package init(stop: StopRequest) { self.stop = stop }
    }

    /// A picture or a file that is not copied.
    package enum Note {
      package struct Response: Equatable {
        package var fact: MoveFact
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var purpose: CopyPurpose
        /// The name of the target.
        package var place: String
        package var counts: MoveCounts
        package var isInterrupted: Bool
        /// Whether everything that the target had before was read.
        package var isVerified = false
      }
    }
  }
}

extension MoveLibrary.Move: RunUseCase {
  package static func progressLine(_ counts: MoveCounts) -> ProgressLine {
    Wording.progressLine(counts)
  }

  package static func note(_ response: Note.Response) -> Run.Note.ViewModel? {
    Wording.note(response.fact).map { .init(text: $0) }
  }

  package static func record(_ response: Note.Response) -> Record? {
    switch response.fact {
    case .damagedThumbnail(let id):
      ["event": "damaged", "kind": "thumbnail", "ids": .numbers([id])]
    case .missingOriginal(let hash):
      ["event": "missing", "kind": "original", "sha256": .text(hash.hexadecimal)]
    case .damagedOriginal(let hash):
      ["event": "damaged", "kind": "original", "sha256": .text(hash.hexadecimal)]
    case .keptFile(let path): ["event": "kept", "path": .text(path)]
    case .ended, .interrupted, .failed: nil
    }
  }

  package static func summary(_ response: Ended.Response) -> HintedText {
    Wording.summary(response)
  }

  package static func record(_ response: Ended.Response) -> Record {
    let counts = response.counts
    let event =
      switch response.purpose {
      case .move: "moved"
      case .backup: "backedUp"
      case .restore: "restored"
      }
    var record: Record = [
      "event": .text(event),
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
    if response.purpose != .restore {
      record.add("removedImages", .number(counts.removedImages))
      record.add("removedOriginals", .number(counts.removedOriginals))
    }
    guard response.purpose == .backup else { return record }
    record.add("verified", .flag(response.isVerified))
    record.add("renewed", .number(counts.renewed))
    record.add("databaseFaults", .number(counts.databaseFaults))
    let folders = counts.folders.map { folder -> Record in
      ["path": .text(folder.path), "pictures": .number(folder.pictures)]
    }
    record.add("folders", .records(folders))
    return record
  }

  package static func outcome(_ response: Ended.Response) -> Outcome {
    response.isInterrupted || response.counts.missing > 0 ? .partly : .done
  }
}
