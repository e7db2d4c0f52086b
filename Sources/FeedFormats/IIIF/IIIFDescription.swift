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
  /// The title in its other languages.
  private(set) var otherTitles: [(language: String, text: String)] = []
  let languages: [String]

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

  /// Reads a resource, in the first of the languages that it has.
  init(of resource: JSONValue, in languages: [String]) {
    self.languages = languages
    let texts = IIIFText(languages)
    title = texts.line(resource["label"], limit: FormatLimits.title).flatMap(Self.telling)
    otherTitles = texts.others(resource["label"], limit: FormatLimits.title)
    caption = texts.line(
      resource["summary"] ?? resource["description"],
      limit: FormatLimits.caption
    )
    let metadata = resource.list("metadata")
    author = Self.value(of: Self.authorLabels, in: metadata, texts)
    published =
      Self.value(of: Self.dateLabels, in: metadata, texts).flatMap(Self.date)
      ?? resource["navDate"]?.string.flatMap(Self.date)
    licence = Self.rights(of: resource) ?? Self.attribution(of: resource, texts)
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

  private static func value(
    of labels: Set<String>,
    in metadata: [JSONValue],
    _ texts: IIIFText
  ) -> String? {
    let entry = metadata.first { entry in
      let label = IIIFText.every(entry["label"])
      return label.contains { labels.contains($0.lowercased()) }
    }
    return texts.line(entry?["value"], limit: FormatLimits.title)
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
  private static func attribution(of resource: JSONValue, _ texts: IIIFText) -> String? {
    let statement = resource["requiredStatement"]?["value"] ?? resource["attribution"]
    return texts.line(ofAll: statement, limit: FormatLimits.title)
  }

  /// The manifest's facts about its object, which apply to all its images.
  static func manifest(of resource: JSONValue, in languages: [String]) -> Manifest {
    let words = IIIFDescription(of: resource, in: languages)
    let texts = IIIFText(languages)
    return Manifest(
      label: words.title,
      pageAddress: (words.page ?? words.address).flatMap { WebAddress($0) },
      attribution: attribution(of: resource, texts),
      rights: rights(of: resource),
      details: words.otherTitles.map { .init(label: $0.language, value: $0.text) }
        + details(in: resource.list("metadata"), texts)
    )
  }

  private static func details(in metadata: [JSONValue], _ texts: IIIFText) -> [Manifest.Detail] {
    var details: [Manifest.Detail] = []
    var bytes = 0
    for entry in metadata where details.count < FormatLimits.details {
      guard let value = texts.line(ofAll: entry["value"], limit: FormatLimits.detailValue)
      else { continue }
      let label = texts.line(entry["label"], limit: FormatLimits.detailLabel) ?? ""
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
struct IIIFText {
  /// The most other languages of a text to keep.
  private static let mostOthers = 8

  /// The preferred languages, the best first; if none matches, any language counts.
  private let languages: [String]

  init(_ languages: [String]) {
    self.languages = languages.map { $0.lowercased() } + ["en", "none", "@none"]
  }

  /// The text as one line of plain text; nil if it is missing.
  func line(_ value: JSONValue?, limit: Int) -> String? {
    best(value).first.flatMap { PlainText.line(of: $0, limit: limit) }
  }

  /// All texts in the best language, as one line.
  func line(ofAll value: JSONValue?, limit: Int) -> String? {
    let lines = best(value).compactMap { PlainText.line(of: $0, limit: limit) }
    return lines.isEmpty
      ? nil : PlainText.line(of: lines.joined(separator: "; "), limit: limit)
  }

  /// The first text in each of the other languages, by language.
  func others(_ value: JSONValue?, limit: Int) -> [(language: String, text: String)] {
    let chosen = line(value, limit: limit)
    let groups = Self.groups(value).filter { $0.language != nil }
    var known: Set<String> = []
    return groups.compactMap { group -> (language: String, text: String)? in
      guard let language = group.language, !["none", "@none"].contains(language.lowercased()),
        let text = group.texts.first.flatMap({ PlainText.line(of: $0, limit: limit) }),
        text != chosen, known.insert(text).inserted
      else { return nil }
      return (language, text)
    }.prefix(Self.mostOthers).map(\.self)
  }

  /// The texts in every language.
  static func every(_ value: JSONValue?) -> [String] { groups(value).flatMap(\.texts) }

  private func best(_ value: JSONValue?) -> [String] {
    let groups = Self.groups(value)
    let best = groups.indices.min { rank(groups[$0].language) < rank(groups[$1].language) }
    guard let best else { return [] }
    let language = groups[best].language
    return groups.filter { $0.language == language }.flatMap(\.texts)
  }

  /// The position of a language among the preferred ones; a variety such as `en-GB` counts as its language.
  private func rank(_ language: String?) -> Int {
    let tag = language?.lowercased() ?? "none"
    let exact = languages.firstIndex { tag == $0 }
    return exact ?? languages.firstIndex { tag.hasPrefix($0 + "-") || $0.hasPrefix(tag + "-") }
      ?? languages.count
  }

  /// The texts by language, in the order of the document; texts without a language are one group.
  private static func groups(_ value: JSONValue?) -> [(language: String?, texts: [String])] {
    switch value {
    case .string, .number: return [(nil, value?.scalar.map { [$0] } ?? [])]
    case .array(let elements): return elements.flatMap { groups($0) }.filter { !$0.texts.isEmpty }
    case .object(let members):
      if let text = value?["@value"] ?? value?["value"] {
        return [(value?["@language"]?.string, every(text))]
      }
      return members.map { ($0.key, every($0.value)) }.filter { !$0.texts.isEmpty }
    case .null, .bool, nil: return []
    }
  }
}
