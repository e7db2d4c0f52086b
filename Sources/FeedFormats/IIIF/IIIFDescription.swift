import FoundationEssentials
import Models

/// The description that a manifest, a collection or a canvas gives of itself.
struct IIIFDescription {
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?
  /// The web page about the object.
  var page: String?
  /// Its id, if that is an address.
  private(set) var address: String?
  /// The date of its making, else its position in time (`navDate`).
  ///
  /// Only a date with a day counts: a year or "about 1450" is not a date, but a detail.
  var published: Date?

  /// The members of a resource that this type reads.
  static let members: Set<String> = [
    "label", "summary", "description", "metadata", "rights", "license", "attribution",
    "requiredStatement", "homepage", "related", "navDate", "id", "@id",
  ]

  /// The labels of a picture's date in metadata.
  private static let dateLabels: Set<String> = [
    "date", "dates", "published", "date published", "publication date", "date of publication",
    "issued", "date issued", "created", "date created", "creation date", "datecreated", "datum",
    "fecha", "data",
  ]

  /// The labels of a picture's author in metadata, which has no standard names.
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
    let metadata = resource.list("metadata")
    author = Self.value(of: Self.authorLabels, in: metadata)
    published =
      Self.value(of: Self.dateLabels, in: metadata).flatMap(Self.date)
      ?? resource["navDate"]?.string.flatMap(Self.date)
    licence = Self.rights(of: resource) ?? Self.attribution(of: resource)
    page = Self.page(of: resource)
    address = resource.list("id").first?.string ?? resource.list("@id").first?.string
    if let own = address, own.utf8.count > FormatLimits.address || !JSONAddress.isAbsolute(own) {
      address = nil
    }
  }

  /// The label, if it has a letter or digit, unlike the `-` of unnumbered pages.
  private static func telling(_ label: String) -> String? {
    label.contains { $0.isLetter || $0.isNumber } ? label : nil
  }

  private static func value(of labels: Set<String>, in metadata: [JSONValue]) -> String? {
    let entry = metadata.first { entry in
      let label = IIIFText.line(entry["label"], limit: FormatLimits.title)
      return labels.contains(label?.lowercased() ?? "")
    }
    return IIIFText.line(entry?["value"], limit: FormatLimits.title)
  }

  /// A date with year, month and day in ISO 8601.
  private static func date(_ text: String) -> Date? {
    text.prefixMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T|$)/) == nil ? nil : FeedDate.read(text)
  }

  /// The licence's address.
  private static func rights(of resource: JSONValue) -> String? {
    for key in ["rights", "license"] {
      let rights = resource.list(key).lazy.compactMap(\.iiifID).first
      if let rights { return PlainText.line(of: rights, limit: FormatLimits.title) }
    }
    return nil
  }

  /// The attribution that must be shown.
  private static func attribution(of resource: JSONValue) -> String? {
    let statement = resource["requiredStatement"]?["value"] ?? resource["attribution"]
    return IIIFText.line(ofAll: statement, limit: FormatLimits.title)
  }

  /// The manifest's facts about its object, which apply to all its images.
  static func manifest(of resource: JSONValue) -> Manifest {
    let words = IIIFDescription(of: resource)
    return Manifest(
      label: words.title,
      pageAddress: (words.page ?? words.address).flatMap { WebAddress($0) },
      attribution: attribution(of: resource),
      rights: rights(of: resource),
      details: details(in: resource.list("metadata"))
    )
  }

  private static func details(in metadata: [JSONValue]) -> [Manifest.Detail] {
    var details: [Manifest.Detail] = []
    var bytes = 0
    for entry in metadata where details.count < FormatLimits.details {
      guard let value = IIIFText.line(ofAll: entry["value"], limit: FormatLimits.detailValue)
      else { continue }
      let label = IIIFText.line(entry["label"], limit: FormatLimits.detailLabel) ?? ""
      bytes += label.utf8.count + value.utf8.count
      guard bytes <= FormatLimits.detailBytes else { break }
      details.append(Manifest.Detail(label: label, value: value))
    }
    return details
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

/// Reads the texts of IIIF: plain, with a language beside them, or grouped by language.
///
/// Version 2 has `"…"`, `{"@value": "…", "@language": "en"}` and lists of both; version 3 has
/// `{"en": ["…"], "none": ["…"]}`. Documents mix them.
enum IIIFText {
  /// The preferred languages, the best first; if none matches, any language counts.
  private static let languages = ["en", "none", "@none", "en-GB", "en-US"]

  /// The text as one line of plain text; nil if it is missing.
  static func line(_ value: JSONValue?, limit: Int) -> String? {
    (value.map(texts) ?? []).first.flatMap { PlainText.line(of: $0, limit: limit) }
  }

  /// All texts in the best language, as one line.
  static func line(ofAll value: JSONValue?, limit: Int) -> String? {
    let lines = (value.map(texts) ?? []).compactMap { PlainText.line(of: $0, limit: limit) }
    return lines.isEmpty
      ? nil : PlainText.line(of: lines.joined(separator: "; "), limit: limit)
  }

  private static func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string, .number: return value.scalar.map { [$0] } ?? []
    case .array(let elements):
      let english = elements.filter { $0["@language"]?.string?.hasPrefix("en") ?? false }
      if !english.isEmpty { return english.flatMap(texts) }
      let language = elements.first?["@language"]
      let same = elements.filter { $0["@language"] == language }.flatMap(texts)
      return same.isEmpty ? elements.flatMap(texts) : same
    case .object(let members):
      if let value = value["@value"] ?? value["value"] { return texts(value) }
      let best = languages.lazy.compactMap { value[$0].map(texts) }.first { !$0.isEmpty }
      return best ?? members.lazy.map { texts($0.value) }.first { !$0.isEmpty } ?? []
    case .null, .bool: return []
    }
  }
}
