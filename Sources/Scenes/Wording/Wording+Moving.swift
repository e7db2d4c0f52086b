import Models
import Workers

extension Wording {
  /// The progress of a copy.
  static func progressLine(_ counts: MoveCounts) -> ProgressLine {
    let parts: [(text: String?, rank: Int)] = [
      ("copied \(count(counts.images, "image"))", 0),
      (counts.thumbnails > 0 ? count(counts.thumbnails, "thumbnail") : nil, 1),
      (counts.originals > 0 ? count(counts.originals, "original") : nil, 1),
    ]
    return ProgressLine(fraction: nil, parts: parts)
  }

  /// A picture or a file that is not copied, in a line that begins with a symbol as in a verification; nil for other facts.
  static func note(_ fact: MoveFact) -> HintedText? {
    switch fact {
    case .damagedThumbnail(let id):
      return "* thumbnail of \("\(id)"): it is damaged, and so not copied — \(.repairPictures)"
    case .missingOriginal(let hash):
      return "- \(name(ofOriginal: hash)): its file is not here — \(.repairPictures)"
    case .damagedOriginal(let hash):
      return """
        * \(name(ofOriginal: hash)): it is damaged, and so not copied — \(.repairPictures)
        """
    case .keptFile(let path):
      return "= \(quoted(path)): it exists, and so stays as it is"
    case .ended, .interrupted, .failed: return nil
    }
  }

  private static func name(ofOriginal hash: SHA256Digest) -> String {
    "original \(hash.hexadecimal.prefix(12))…"
  }

  /// The result of a copy.
  static func summary(_ response: MoveLibrary.Move.Ended.Response) -> HintedText {
    let counts = response.counts
    var parts = [
      count(counts.images, "image"), count(counts.thumbnails, "thumbnail"),
      count(counts.originals, "original"),
    ]
    if counts.copiedBytes > 0 { parts[2] += " (\(size(counts.copiedBytes)) copied)" }
    if counts.objects > 0 { parts.append("\(grouped(counts.objects)) put into the object store") }
    if counts.waitingObjects > 0 {
      let verb = counts.waitingObjects == 1 ? "waits" : "wait"
      parts.append("\(grouped(counts.waitingObjects)) \(verb) for the next sync to be put")
    }
    if counts.renewed > 0 {
      parts.append(
        "\(grouped(counts.renewed)) copied again, because the backup's \(counts.renewed == 1 ? "was" : "were") damaged or lost"
      )
    }
    if counts.databaseFaults > 0 { parts.append("its database repaired") }
    if counts.missing > 0 { parts.append("\(grouped(counts.missing)) not copied") }
    let text = parts.joined(separator: ", ") + removed(counts) + notIncluded(counts.folders)
    let (command, verb) =
      switch response.purpose {
      case .move: ("move", "copied")
      case .backup: ("backup", "backed up")
      case .restore: ("restore", "restored")
      }
    if response.isInterrupted {
      return "interrupted: \(text) — \(.run(command: command)) continues where it stopped"
    }
    if counts.changedRows == 0, counts.newFiles == 0, counts.databaseFaults == 0 {
      // Otherwise the sentence would be untrue of what is damaged in both.
      let verified = response.isVerified && counts.missing == 0 ? ", as it was stored" : ""
      return "\(quoted(response.place)) has all that this library has\(verified): \(text)"
    }
    return "\(verb) to \(quoted(response.place)): \(text)"
  }

  /// What the copy had, and the library has no longer; empty without any.
  private static func removed(_ counts: MoveCounts) -> String {
    let (images, originals) = (counts.removedImages, counts.removedOriginals)
    var parts: [String] = []
    if images > 0 { parts.append(count(images, "image")) }
    if originals > 0 { parts.append(count(originals, "original")) }
    if parts.isEmpty { return "" }
    return "; removed \(parts.joined(separator: " and ")) that this library no longer has"
  }

  /// The folders that a message names; the others are counted.
  private static let foldersNamed = 3

  /// The pictures that stay in folders, and so are not in a backup; empty without any.
  private static func notIncluded(_ folders: [PictureFolderCount]) -> String {
    if folders.isEmpty { return "" }
    let pictures = folders.reduce(0) { $0.adding($1.pictures) }
    var names = folders.prefix(foldersNamed).map { quoted($0.path) }.joined(separator: ", ")
    let rest = folders.count - foldersNamed
    if rest > 0 { names += " and \(grouped(rest)) more" }
    let (verb, place) = (
      pictures == 1 ? "stays" : "stay", folders.count == 1 ? "a folder" : "folders"
    )
    return "; \(count(pictures, "picture")) of \(place) \(verb) there, not in the backup: \(names)"
  }
}
