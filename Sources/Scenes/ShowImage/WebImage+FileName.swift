import Models
import Workers

extension WebImage {
  /// The name of a file in a folder that is named: `{title} [{id}].{ext}`, as exports name files.
  func fileName(_ format: ImageFormat) -> String {
    let title =
      ImageTile.name(title: title, caption: caption) ?? NamedImage.name(in: originalAddress)
    let end = " [\(id)].\(format.fileExtension)"
    let room = FileName.longestPart - end.utf8.count
    let begin = FileName.shortened(FileName.cleaned(title), to: room)
    return FileName.finished(FileName.cleaned(begin + end))
  }
}
