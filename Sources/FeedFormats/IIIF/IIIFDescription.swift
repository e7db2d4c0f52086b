/// What a manifest, a collection or a canvas says of itself in words.
struct IIIFDescription {
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?
  /// The web page about it.
  var page: String?

  /// The members of a resource that are read here.
  static let members: Set<String> = [
    "label", "summary", "description", "metadata", "rights", "license", "attribution",
    "requiredStatement", "homepage", "related",
  ]

  /// What the author of a picture is called in metadata, which has no names of its own.
  private static let authorLabels: Set<String> = [
    "author", "authors", "creator", "creators", "artist", "artists", "artist / maker",
    "artist/maker", "maker", "painter", "photographer", "contributor", "auteur", "créateur",
    "künstler", "urheber", "verfasser", "fotograf", "autor", "autore", "maker(s)", "creator(s)",
  ]

  init(of resource: JSONValue) {
    title = IIIFText.line(resource["label"], limit: FormatLimits.title).flatMap(Self.telling)
    caption = IIIFText.line(
      resource["summary"] ?? resource["description"],
      limit: FormatLimits.caption
    )
    author = Self.author(in: resource.list("metadata"))
    licence = Self.licence(of: resource)
    page = Self.page(of: resource)
  }

  /// A label without a letter or digit, such as the `-` of unnumbered pages, says nothing.
  private static func telling(_ label: String) -> String? {
    label.contains { $0.isLetter || $0.isNumber } ? label : nil
  }

  private static func author(in metadata: [JSONValue]) -> String? {
    let entry = metadata.first { entry in
      let label = IIIFText.line(entry["label"], limit: FormatLimits.title)
      return authorLabels.contains(label?.lowercased() ?? "")
    }
    return IIIFText.line(entry?["value"], limit: FormatLimits.title)
  }

  /// The licence's address, else the words that have to be shown.
  private static func licence(of resource: JSONValue) -> String? {
    for key in ["rights", "license"] {
      if let licence = resource.list(key).lazy.compactMap(\.iiifID).first { return licence }
    }
    let statement = resource["requiredStatement"]?["value"] ?? resource["attribution"]
    return IIIFText.line(statement, limit: FormatLimits.title)
  }

  private static func page(of resource: JSONValue) -> String? {
    let pages = resource.list("homepage") + resource.list("related")
    let page = pages.first { page in
      let format = page["format"]?.string ?? "text/html"
      return format == "text/html" && page.iiifID.map(JSONAddress.isAbsolute) ?? false
    }
    return page?.iiifID
  }
}
