import Models
package import Workers

/// The models of the use case that makes a new library from a damaged one.
package enum RecoverLibrary {
  package enum Recover {
    package struct Request: Sendable {
      package var stop: StopRequest

      package init(stop: StopRequest) { self.stop = stop }
    }

    /// A thing that is lost.
    package enum Note: Equatable {
      case feed(RecoveredLibrary.LostFeed)
      case images(RecoveredLibrary.LostImages)
      case thumbnails(Int)
      /// The identity of the library, by which galleries that mirror it know it.
      case identity
    }

    package enum Ended {
      package struct Response: Equatable {
        /// The folder of the new library.
        package var place: String
        package var recovered: RecoveredLibrary
      }
    }
  }
}

/// Makes a new library from what a damaged one still has.
package struct RecoverLibraryInteractor {
  private let presenter: any RunPresentationLogic<RecoverLibrary.Recover>
  private let recovery: any LibraryRecovering
  private let place: String
  private let pause: Pause

  /// Creates the interactor; `place` is the folder of the new library.
  package init(
    presenter: any RunPresentationLogic<RecoverLibrary.Recover>,
    recovery: any LibraryRecovering,
    place: String,
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.recovery = recovery
    self.place = place
    self.pause = pause
  }

  /// Makes the new library, and presents the progress and the result; returns whether there is one.
  package func recoverLibrary(request: RecoverLibrary.Recover.Request) async -> Bool {
    do throws(RequestFailure) {
      let end = try await presenter.follow(recovery.recover(), stop: request.stop, pause) {
        fact throws(RequestFailure) in
        switch fact {
        case .ended(let recovered):
          for feed in recovered.lostFeeds { presenter.presentNote(response: .feed(feed)) }
          for images in recovered.lostImages { presenter.presentNote(response: .images(images)) }
          if recovered.lostThumbnails > 0 {
            presenter.presentNote(response: .thumbnails(recovered.lostThumbnails))
          }
          if recovered.isOtherLibrary { presenter.presentNote(response: .identity) }
          return .end(.init(place: place, recovered: recovered))
        case .failed(let error): throw .library(error, .recover)
        }
      }
      return end != nil
    } catch {
      presenter.presentFailure(response: .init(failure: error))
      return false
    }
  }
}

extension RecoverLibrary.Recover: RunUseCase {
  package static func progressLine(_ counts: RecoveredLibrary) -> ProgressLine {
    ProgressLine(fraction: nil, parts: [("read \(Wording.count(counts.images, "image"))", 0)])
  }

  package static func note(_ note: Note) -> Run.Note.ViewModel? { .init(text: Wording.note(note)) }

  package static func record(_ note: Note) -> Record? {
    switch note {
    case .feed(let feed):
      ["event": "lost", "feedID": .integer(feed.id), "images": .number(feed.images)]
    case .images(let lost):
      ["event": "lost", "feed": .text(lost.feed), "images": .number(lost.count)]
    case .thumbnails(let count): ["event": "lost", "thumbnails": .number(count)]
    case .identity: ["event": "lost", "identity": .flag(true)]
    }
  }

  package static func summary(_ response: Ended.Response) -> HintedText {
    Wording.summary(response)
  }

  package static func record(_ response: Ended.Response) -> Record {
    let recovered = response.recovered
    return [
      "event": "recovered",
      "to": .text(response.place),
      "feeds": .number(recovered.feeds),
      "images": .number(recovered.images),
      "thumbnails": .number(recovered.thumbnails),
      "originals": .number(recovered.originals),
      "pins": .number(recovered.pins),
      "damagedPages": .number(recovered.damagedPages),
      "damagedRows": .number(recovered.damagedRows),
      "folders": .number(recovered.folders),
    ]
  }

  package static func outcome(_ response: Ended.Response) -> Outcome {
    response.recovered.hasLosses ? .partly : .done
  }
}

extension Wording {
  /// A lost thing, in a line that begins with a symbol as in a verification.
  static func note(_ note: RecoverLibrary.Recover.Note) -> HintedText {
    switch note {
    case .feed(let feed):
      "- feed \("\(feed.id)"): lost; 'Lost feed \("\(feed.id)")' keeps \(count(feed.images, "image"))"
    case .images(let lost): "- \(quoted(lost.feed)): \(count(lost.count, "image")) lost"
    case .thumbnails(let number): "- \(count(number, "thumbnail")) lost"
    case .identity:
      """
      - the identity of the library: lost; galleries that mirror it take the new one for another, and any library.key \
      stays with the damaged one
      """
    }
  }

  /// The result of a recovery.
  static func summary(_ response: RecoverLibrary.Recover.Ended.Response) -> HintedText {
    let recovered = response.recovered
    let parts = [
      count(recovered.feeds, "feed"), count(recovered.images, "image"),
      count(recovered.thumbnails, "thumbnail"), count(recovered.originals, "original"),
      count(recovered.pins, "pin"),
    ]
    var damage: [String] = []
    if recovered.damagedPages > 0 { damage.append(count(recovered.damagedPages, "page")) }
    if recovered.damagedRows > 0 { damage.append(count(recovered.damagedRows, "row")) }
    let rest = damage.isEmpty ? "" : "; \(damage.joined(separator: " and ")) could not be read"
    let text = "recovered to \(quoted(response.place)): \(parts.joined(separator: ", "))\(rest)"
    if recovered.folders == 0 { return "\(text)" }
    let folders = recovered.folders == 1 ? "a folder" : count(recovered.folders, "folder")
    return """
      \(text); the pictures of \(folders) count as missing — \
      \(.readFolders(library: response.place))
      """
  }
}
