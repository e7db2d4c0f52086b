import Models
package import Workers

/// What exports of named files say.
extension Wording {
  static func progressLine(_ counts: FileExportCounts) -> ProgressLine {
    guard let total = counts.total, total > 0 else {
      return ProgressLine(fraction: nil, text: "looking at what is there")
    }
    let parts: [(text: String?, rank: Int)] = [
      ("\(grouped(counts.images)) of \(count(total, "image"))", 0),
      (count(counts.written, "file") + " written", 1),
    ]
    return ProgressLine(fraction: Double(counts.images) / Double(total), parts: parts)
  }

  /// A file that an export does not touch.
  static func left(_ response: ExportFiles.Export.Left.Response) -> HintedText {
    let file = response.file
    let name = quoted("\(response.folder)/\(file.path)")
    return switch file.reason {
    case .moved: "left alone: \(name) was moved or deleted, and is not written again"
    case .edited: "left alone: \(name) was changed since it was written"
    case .foreign: "left alone: \(name) is another file; the image gets another name"
    case .blocked:
      cannot("export", "image \(file.imageID)", because: "\(name) has no place", but: nil)
    case .damaged:
      cannot(
        "export",
        "the original of \(file.imageID)",
        because: "its file is missing or has another length",
        but: "the others are exported, and \(.repairPictures)"
      )
    }
  }

  /// The result of an export, and what syncs do from now on.
  static func summary(_ response: ExportFiles.Export.Ended.Response) -> HintedText {
    switch response.isFollowed {
    case true?: "\(sum(of: response)) — each sync brings it up to date from now on"
    case false?: "\(sum(of: response)) — no sync changes it any more"
    case nil: sum(of: response)
    }
  }

  private static func sum(of response: ExportFiles.Export.Ended.Response) -> HintedText {
    let counts = response.counts
    var parts = [count(counts.images, "image")]
    let ways = [
      (counts.linked, "linked"), (counts.cloned, "cloned"), (counts.copied, "copied"),
    ]
    if response.isDryRun {
      parts.append("\(count(counts.written, "file")) to write")
    } else {
      parts += ways.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
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
    if response.isInterrupted { return "interrupted: \(text) — the next export goes on from here" }
    if response.isDryRun { return "would export to \(folder): \(text)" }
    if counts.written + counts.sidecars == 0 { return "\(folder) is up to date: \(text)" }
    return "exported to \(folder): \(text)"
  }

  /// What a field of a template stands for.
  static func meaning(of field: NameField) -> String {
    switch field {
    case .id: "the number of the image"
    case .title: "its title, else the first line of its caption, else the name in its address"
    case .feed: "the title of its feed, else the feed's host"
    case .feedID: "the number of its feed"
    case .date: "when it was published, else when it came; {date:%Y-%m} has a form (UTC)"
    case .added: "when it came to the library; forms as for date"
    case .author: "its author"
    case .caption: "its caption, in one line"
    case .licence: "its licence"
    case .manifest: "the IIIF object that it is from"
    case .name: "the name in the original's address, without its ending"
    case .hash: "SHA-256 of the original, in 64 digits"
    case .width: "the width in pixels"
    case .height: "the height in pixels"
    case .ext: "the usual ending of the original's format, as jpg"
    }
  }

  /// Why a text is no template.
  package static func message(_ flaw: NameTemplate.Flaw, in template: String) -> String {
    switch flaw {
    case .unknownField(let name):
      let names = NameField.allCases.map(\.rawValue).joined(separator: ", ")
      return "'{\(name)}' is no field; there are \(names)"
    case .openBrace: return "a brace of '\(template)' has no partner; '{{' and '}}' stand for one"
    case .format(let format, let field) where field.isDate:
      return "'\(format)' is no form of a date; %Y, %y, %m, %d, %j, %H, %M, %S and %% are"
    case .format(_, let field): return "'{\(field.rawValue)}' has no forms; date and added do"
    case .emptyPart: return "'\(template)' has a folder or a file without a name"
    case .place(let part): return "'\(part)' is no name that every file system takes"
    case .tooLong: return "'\(template)' has more text than a name has room for"
    }
  }
}
