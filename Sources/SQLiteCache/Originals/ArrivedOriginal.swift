import Models

/// An original that has arrived whole, and is on the disk under its partial name.
struct ArrivedOriginal {
  var imageID: Int64
  var file: PartialFile
  var sha256: String
  var info: PictureInfo
  var address: WebAddress
  var validators: Validators
}
