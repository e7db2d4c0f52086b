import Models

/// An element that is being opened.
struct XMLElement {
  let name: XMLName
  /// The element it stands in.
  let parent: XMLName
  let attributes: XMLAttributes
  /// What `xml:base` says around it; nil when nothing does.
  let base: WebAddress?
}
