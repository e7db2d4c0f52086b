import FoundationEssentials
import Models
package import Workers

extension Wording {
  static func progressLine(_ counts: SiteExportCounts) -> ProgressLine {
    let written = "\(count(counts.written, "file")) written (\(size(counts.writtenBytes)))"
    return exportProgress(counts.images, of: counts.total, written)
      ?? ProgressLine(fraction: nil, text: "reading the library")
  }

  /// The progress of an export; nil before its images are counted.
  private static func exportProgress(
    _ images: Int,
    of total: Int?,
    _ written: String
  ) -> ProgressLine? {
    guard let total, total > 0 else { return nil }
    return ProgressLine(
      fraction: Double(images) / Double(total),
      parts: [("\(grouped(images)) of \(count(total, "image"))", 0), (written, 1)]
    )
  }

  static func leftOut(_ response: ExportLibrary.ExportSite.Damaged.Response) -> HintedText {
    cannot(
      "export",
      quoted(response.path),
      because: reason(Damage.otherContent),
      but: "gallery exports the image without its original, and \(.repairPictures)"
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
    return "interrupted: \(text) — the next export continues from here"
  }

  /// The message about a failed export.
  static func message(_ error: SiteExportError) -> HintedText {
    switch error {
    case .library(let error):
      cannot("export", "the library", because: reason(error), but: rest(after: error))
    case .folder(let error):
      cannot("write", "the export", because: reason(error), but: "its files stay usable")
    case .followed(let path, let feed):
      refusal(path, "its pictures are those of feed \(feed)", "name another one")
    case .foreign(let path):
      refusal(
        path,
        "it has other files",
        "name an empty folder, or an earlier export of this library"
      )
    case .otherLibrary(let path):
      refusal(path, "it has the export of another library", "nothing in it was changed")
    case .otherForm(let path):
      refusal(path, "it has an export of the other form: a site or named files", "name another one")
    case .missing(let path):
      refusal(path, "it is not there", "gallery exports to it again when it is back")
    case .overlapping(let path):
      refusal(path, "it overlaps the library's own folder", "name another one")
    case .busy(let path): refusal(path, "another export writes there", "try again after it")
    case .changing:
      cannot(
        "export",
        "the library",
        because: "it does not stop changing",
        but: "after the sync that changes it, another export finds most files written"
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

// MARK: Named files

extension Wording {
  static func progressLine(_ counts: FileExportCounts) -> ProgressLine {
    let written = count(counts.written, "file") + " written"
    return exportProgress(counts.images, of: counts.total, written)
      ?? ProgressLine(fraction: nil, text: "reading the folder")
  }

  /// The message about a file that an export does not touch.
  static func left(_ left: ExportFiles.Export.Note.Left) -> HintedText {
    let file = left.file
    let name = quoted("\(left.folder)/\(file.path)")
    return switch file.reason {
    case .moved: "left alone: \(name) was moved or deleted, and is not written again"
    case .edited: "left alone: \(name) was changed since it was written"
    case .foreign: "left alone: \(name) is another file; the image gets another name"
    case .blocked:
      cannot("export", "image \(file.imageID)", because: "\(name) has no place", but: nil)
    case .damaged where file.isOfFolder:
      cannot(
        "export",
        "the original of \(file.imageID)",
        because: "its folder has the file no longer, or has another one there",
        but: "gallery exports the others, and \(.run(command: "sync")) reads the folder again"
      )
    case .damaged:
      cannot(
        "export",
        "the original of \(file.imageID)",
        because: "its file is missing or damaged",
        but: "gallery exports the others, and \(.repairPictures)"
      )
    }
  }

  /// The result of an export, and whether syncs export to the folder from now on.
  static func summary(_ response: ExportFiles.Export.Ended.Response) -> HintedText {
    switch response.isFollowed {
    case true?: "\(sum(of: response)) — each sync brings it up to date from now on"
    case false?: "\(sum(of: response)) — no sync changes it any more"
    case nil: sum(of: response)
    }
  }

  private static func sum(of response: ExportFiles.Export.Ended.Response) -> HintedText {
    let counts = response.counts
    // Those that are left out are not in the folder.
    var parts = [count(max(0, counts.images - counts.omitted), "image")]
    let ways = [(counts.linked, "linked"), (counts.cloned, "cloned"), (counts.copied, "copied")]
    if response.isDryRun {
      parts.append("\(count(counts.written, "file")) to write")
    } else {
      parts += self.parts(ways)
      if counts.copied > 0 { parts[parts.count - 1] += " (\(size(counts.copiedBytes)))" }
    }
    if counts.sidecars > 0 { parts.append(count(counts.sidecars, "sidecar")) }
    if counts.left > 0 { parts.append("\(count(counts.left, "file")) left alone") }
    if counts.omitted > 0 { parts.append("\(count(counts.omitted, "image")) left out") }
    let text = parts.joined(separator: ", ")
    let folder = quoted(response.folder)
    if counts.total == 0 {
      return "nothing to export to \(folder): no image that you asked for has a stored original"
    }
    if response.isInterrupted {
      return "interrupted: \(text) — the next export continues from here"
    }
    let names =
      response.hasEndings ? "" : "; the names have no ending, which '.{ext}' in the template adds"
    if response.isDryRun { return "would export to \(folder): \(text)\(names)" }
    if counts.written + counts.sidecars == 0 { return "\(folder) is up to date: \(text)" }
    return "exported to \(folder): \(text)\(names)"
  }

  /// The meaning of a field of a template.
  static func meaning(of field: NameField) -> String {
    switch field {
    case .id: "the number of the image"
    case .title: "its title, else the first line of its caption, else the name in its address"
    case .feed: "the title of its feed, else the feed's host"
    case .feedID: "the number of its feed"
    case .date: "when it was published, else when it came; {date:%Y-%m} has a form (UTC)"
    case .added: "when it came to the library; forms as for date"
    case .taken: "when it was taken, by the camera's clock; forms as for date"
    case .camera: "the maker and the model of the camera"
    case .lens: "the lens"
    case .author: "its author"
    case .caption: "its caption, in one line"
    case .licence: "its licence"
    case .manifest: "the IIIF object that it is from"
    case .folder: "its folders below the followed one; {folder}/ makes the same folders, or none"
    case .name: "the name in the original's address, without its ending"
    case .hash: "SHA-256 of the original, in 64 digits"
    case .width: "the width in pixels"
    case .height: "the height in pixels"
    case .ext: "the usual ending of the original's format, as jpg"
    }
  }

  /// The reason why a text is not a valid template.
  package static func message(_ flaw: NameTemplate.Flaw, in template: String) -> String {
    switch flaw {
    case .unknownField(let name):
      let names = NameField.allCases.map(\.rawValue).joined(separator: ", ")
      return "'{\(name)}' is not a field; the fields are \(names)"
    case .openBrace:
      return "a brace of '\(template)' has no counterpart; '{{' and '}}' stand for a brace"
    case .format(let format, let field) where field.isDate:
      return "'\(format)' is not a date format; its codes are %Y, %y, %m, %d, %j, %H, %M, %S and %%"
    case .format(_, let field): return "'{\(field.rawValue)}' takes no format; date and added do"
    case .emptyPart: return "'\(template)' has a folder or a file without a name"
    case .place(let part): return "'\(part)' is not a valid name on every file system"
    case .tooLong: return "'\(template)' is too long for a name"
    }
  }
}
