import FoundationEssentials
import Workers

extension Wording {
  /// The progress of an export.
  static func progressLine(_ counts: SiteExportCounts) -> ProgressLine {
    guard let total = counts.total, total > 0 else {
      return ProgressLine(fraction: nil, text: "reading the library")
    }
    let parts: [(text: String?, rank: Int)] = [
      ("\(grouped(counts.images)) of \(count(total, "image"))", 0),
      ("\(count(counts.written, "file")) written (\(size(counts.writtenBytes)))", 1),
    ]
    return ProgressLine(fraction: Double(counts.images) / Double(total), parts: parts)
  }

  static func leftOut(_ response: ExportLibrary.ExportSite.Damaged.Response) -> HintedText {
    cannot(
      "export",
      quoted(response.path),
      because: reason(Damage.otherContent),
      but: "the image is exported without its original, and \(.repairPictures)"
    )
  }

  /// The result of an export.
  static func summary(_ response: ExportLibrary.ExportSite.Ended.Response) -> HintedText {
    let counts = response.counts
    let images = count(counts.images, "image")
    if counts.isUnchanged { return "\(quoted(response.folder)) is up to date: \(images)" }
    var parts = [
      images, "\(count(counts.written, "file")) written (\(size(counts.writtenBytes)))",
    ]
    if counts.removed > 0 { parts.append("\(grouped(counts.removed)) removed") }
    if counts.damaged > 0 {
      parts.append("\(count(counts.damaged, "damaged original")) left out")
    }
    let text = parts.joined(separator: ", ")
    guard response.isInterrupted else { return "exported to \(quoted(response.folder)): \(text)" }
    return "interrupted: \(text) — the next export goes on from here"
  }

  /// Why a site was not exported.
  static func message(_ error: SiteExportError) -> HintedText {
    switch error {
    case .library(let error):
      cannot("export", "the library", because: reason(error), but: rest(after: error))
    case .folder(let error):
      cannot("write", "the export", because: reason(error), but: "what is there stays usable")
    case .foreign(let path):
      refusal(
        path,
        "it has other files",
        "an empty folder, or an earlier export of this library, is taken"
      )
    case .otherLibrary(let path):
      refusal(path, "it has the export of another library", "nothing in it was changed")
    case .otherForm(let path):
      refusal(path, "it has an export of the other form: a site or named files", "name another one")
    case .missing(let path):
      refusal(path, "it is not there", "it is exported to again when it is back")
    case .overlapping(let path):
      refusal(path, "it overlaps the library's own folder", "name another one")
    case .busy(let path): refusal(path, "another export writes there", "try again after it")
    case .changing:
      cannot(
        "export",
        "the library",
        because: "it does not stop changing",
        but: "after the sync that changes it another export finds most files written"
      )
    }
  }

  private static func refusal(
    _ folder: String,
    _ reason: String,
    _ rest: HintedText
  ) -> HintedText {
    cannot("export to", quoted(folder), because: reason, but: rest)
  }

  /// A month: "November 2026".
  package static func month(_ text: String) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let parts = text.split(separator: "-")
    guard parts.count == 2, let month = Int(parts[1]), (1...12).contains(month) else { return text }
    return "\(names[month - 1]) \(parts[0])"
  }
}
