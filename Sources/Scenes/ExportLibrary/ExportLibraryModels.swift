import FoundationEssentials
package import Models
package import Workers

/// The models of the scene that exports the library.
package enum ExportLibrary {
  /// Makes a static site of the library.
  package enum ExportSite {
    package struct Request: Sendable {
      package var plan: SiteExportPlan
      /// Ends the export early; the next one continues from there.
      package var stop: StopRequest

      package init(_ plan: SiteExportPlan, stop: StopRequest) {
        self.plan = plan
        self.stop = stop
      }
    }

    /// A damaged original, which the export omits.
    package enum Damaged {
      package struct Response: Equatable {
        package var path: String
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var folder: String
        package var counts: SiteExportCounts
        package var isInterrupted: Bool
      }
    }
  }
}

extension ExportLibrary.ExportSite: RunUseCase {
  package static func progressLine(_ counts: SiteExportCounts) -> ProgressLine {
    Wording.progressLine(counts)
  }

  package static func note(_ response: Damaged.Response) -> Run.Note.ViewModel? {
    .init(text: Wording.leftOut(response), kind: .problem)
  }

  package static func record(_ response: Damaged.Response) -> Record? {
    ["event": "damaged", "file": .text(response.path)]
  }

  package static func summary(_ response: Ended.Response) -> HintedText {
    Wording.summary(response)
  }

  package static func record(_ response: Ended.Response) -> Record {
    let counts = response.counts
    return [
      "event": "ended",
      "folder": .text(response.folder),
      "images": .number(counts.images),
      "written": .number(counts.written),
      "bytes": .number(counts.writtenBytes),
      "removed": .number(counts.removed),
      "damaged": .number(counts.damaged),
      "interrupted": .flag(response.isInterrupted),
    ]
  }

  package static func outcome(_ response: Ended.Response) -> Outcome {
    response.isInterrupted || response.counts.damaged > 0 ? .partly : .done
  }
}

/// An image on a page of a static site: finished text, with its stored pictures.
package struct ExportedImage: Equatable, Sendable {
  package var id: Int64
  package var facts: DisplayedImageFacts
  /// A readable file name for the original, which is stored under its hash; nil when it is not stored.
  package var fileName: String?
  /// Whether browsers show the original.
  package var isOriginalShown: Bool

  package init(_ image: ImageState, of feed: Feed) {
    let fields = image.fields
    let reference = FeedReference(id: feed.id, address: feed.address, title: feed.title)
    var facts = DisplayedImageFacts(
      title: ImageTile.name(title: fields.title, caption: fields.caption) ?? "",
      feed: reference.publishedName,
      feedID: feed.id
    )
    facts.caption = fields.caption == facts.title ? nil : fields.caption
    facts.author = fields.author
    facts.licence = fields.licence
    facts.published = fields.published.map { Wording.timestamp(Date(storedSeconds: $0)) }
    facts.dateName = Wording.dateName(of: reference)
    facts.pageAddress = fields.pageAddress.flatMap { WebAddress($0) }
      .flatMap { $0.isWeb ? $0.masked : nil }
    facts.thumbnail = DisplayedFile(image.thumbnail?.info)
    facts.original = DisplayedFile(image.original?.info)
    facts.originalSize = (image.original?.info).map(Wording.picture)
    facts.width = fields.width
    facts.height = fields.height
    id = image.id
    self.facts = facts
    let format = image.original?.info.format
    let name = facts.title.isEmpty ? "Image \(id)" : String(facts.title.prefix(80))
    fileName = format.map { "\(name).\($0.fileExtension)" }
    isOriginalShown = format.map(Self.shown.contains) ?? false
  }

  /// The formats that browsers show regardless of the media type in the response.
  ///
  /// SVG is not one of them: it can contain programs.
  private static let shown: Set<ImageFormat> = [.jpeg, .png, .gif, .webP, .avif]
}
