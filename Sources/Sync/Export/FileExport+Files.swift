import Models
import Workers

extension FileExport {
  /// The number of names to try for a file when other files have them.
  private static let mostNames = 20

  /// Brings the file of an image up to date, and returns its new record.
  mutating func export(
    _ image: NamedImage,
    _ recorded: ExportedFile?
  ) throws(SiteExportError) -> ExportedFile? {
    guard var file = recorded else {
      guard let file = try make(image) else { return nil }
      return try writeSidecar(of: image, file, isOutdated: false)
    }
    if file.number == image.state.number,
      file.sidecar?.format == plan.sidecars ?? file.sidecar?.format
    {
      return file
    }
    if leftFiles.contains(image.id) { return file }
    if file.hash != image.hash.words[0] {
      guard let replaced = try replace(file, image) else { return file }
      file = replaced
    }
    let isOutdated = file.number != image.state.number
    file.number = image.state.number
    return try writeSidecar(of: image, file, isOutdated: isOutdated)
  }

  /// Makes a new file under the first free name.
  private mutating func make(_ image: NamedImage) throws(SiteExportError) -> ExportedFile? {
    let path = plan.template.path(of: image)
    for attempt in 0..<Self.mostNames {
      var name = path
      if attempt > 0 { name = FileName.adding(" [\(image.id)]", to: path) }
      if attempt > 1 { name = FileName.adding(" (\(attempt))", to: name) }
      guard taken.insert(FileName.key(name)).inserted else { continue }
      switch try arrival(of: image, at: name) {
      case .made(let mark, let way):
        count(way, mark, image.id, name)
        return ExportedFile(
          imageID: image.id,
          number: image.state.number,
          hash: image.hash.words[0],
          path: name,
          mark: mark
        )
      case .taken: leave(image.id, name, .foreign)
      case .blocked:
        leave(image.id, name, .blocked)
        return nil
      case .damaged:
        leave(image.id, name, .damaged, feedID: image.state.feedID)
        return nil
      }
    }
    leave(image.id, path, .blocked)
    return nil
  }

  private func arrival(
    of image: NamedImage,
    at path: String
  ) throws(SiteExportError) -> FileArrival {
    let nothing = FileMark(bytes: image.original.bytes, changed: 0)
    return try folder?.make(path, of: image.original) ?? .made(nothing, .link)
  }

  /// Replaces a file with another original; nil if that is not possible.
  private func replace(
    _ file: ExportedFile,
    _ image: NamedImage
  ) throws(SiteExportError) -> ExportedFile? {
    guard let folder else { return nil }
    switch try folder.replace(file.path, file.mark, with: image.original) {
    case .made(let mark, let way):
      count(way, mark, image.id, file.path)
      var file = file
      (file.mark, file.hash) = (mark, image.hash.words[0])
      return file
    case .taken: leave(image.id, file.path, .edited)
    case .blocked: leave(image.id, file.path, .blocked)
    case .damaged: leave(image.id, file.path, .damaged, feedID: image.state.feedID)
    }
    return nil
  }

  /// Counts a file that was written; an export that only looks reports it as planned, too.
  private func count(_ way: FileArrival.Way, _ mark: FileMark, _ imageID: Int64, _ path: String) {
    progress.withLock { counts in
      switch way {
      case .link: counts.linked += 1
      case .clone: counts.cloned += 1
      case .copy:
        (counts.copied, counts.copiedBytes) = (counts.copied + 1, counts.copiedBytes + mark.bytes)
      case .found: break
      }
    }
    if plan.access == .looking { tell(.planned(imageID: imageID, path: path)) }
  }

  /// Writes the sidecar of a file, if the plan asks for sidecars and this one is missing or outdated.
  private func writeSidecar(
    of image: NamedImage,
    _ file: ExportedFile,
    isOutdated: Bool
  ) throws(SiteExportError) -> ExportedFile {
    guard let format = plan.sidecars, let folder, !leftSidecars.contains(image.id),
      isOutdated || file.sidecar?.format != format
    else { return file }
    let path = format.path(beside: file.path)
    let own = file.sidecar?.format == format ? file.sidecar?.mark : nil
    let bytes = exporter.sidecars.sidecar(of: image, format)
    switch try folder.write(bytes, to: path, replacing: own) {
    case .made(let mark, let way):
      if way != .found { progress.withLock { $0.sidecars += 1 } }
      var file = file
      file.sidecar = .init(format: format, mark: mark)
      return file
    case .taken: leave(image.id, path, own == nil ? .foreign : .edited)
    case .blocked, .damaged: leave(image.id, path, .blocked)
    }
    return file
  }
}
