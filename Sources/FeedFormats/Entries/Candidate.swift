import Models

/// An address that an entry names and that may be a picture's, with what stands beside it.
struct Candidate {
  /// The address as written, character references undone.
  var reference: String
  /// What it is relative to, where `xml:base` says so.
  var base: WebAddress?
  /// Where it leads, once that was worked out; nil before, and where it leads to no image.
  var address: WebAddress?
  var type: String?
  var medium: String?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var isDefault = false
  /// The longer side that the name of a size stands for, where nothing else tells it.
  var assumedSide: Int?

  /// The number of pixels; nil when it is not declared.
  var area: Int? {
    guard let width, let height else { return nil }
    let product = width.multipliedReportingOverflow(by: height)
    return product.overflow ? .max : product.partialValue
  }

  /// The longer side as declared, or as the query asks the server for it.
  var longerSide: Int? {
    if width != nil || height != nil { return max(width ?? 0, height ?? 0) }
    return SizeInAddress.longerSide(of: reference) ?? assumedSide
  }
}
