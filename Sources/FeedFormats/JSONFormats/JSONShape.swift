/// The services whose lists say in their own way where a picture is: one line for each.
///
/// A shape belongs to an object that has the member `mark`. It says the same in the common words,
/// as members that are put before those the object has.
struct JSONShape: Sendable {
  let service: String
  /// The member that an object of this shape has.
  let mark: String
  /// What that member begins with; every value counts when it is empty.
  var start = ""
  /// The members to add: a common name, and a text in which `{a.b}` stands for a member's text.
  ///
  /// `{date|/}` is a day as a path, `{url|a>b}` has the last `a` in it replaced with `b`.
  var says: [(name: String, text: String)] = []
  /// Makes the members where texts cannot say it.
  var adds: @Sendable (JSONValue) -> [JSONMember] = { _ in [] }

  static let all: [JSONShape] = [
    JSONShape(
      service: "NASA EPIC, natural colours",
      mark: "image",
      start: "epic_1b_",
      says: [
        ("original", "https://epic.gsfc.nasa.gov/archive/natural/{date|/}/png/{image}.png"),
        ("thumbnail", "https://epic.gsfc.nasa.gov/archive/natural/{date|/}/thumbs/{image}.jpg"),
      ]
    ),
    JSONShape(
      service: "NASA EPIC, enhanced colours",
      mark: "image",
      start: "epic_RGB_",
      says: [
        ("original", "https://epic.gsfc.nasa.gov/archive/enhanced/{date|/}/png/{image}.png"),
        ("thumbnail", "https://epic.gsfc.nasa.gov/archive/enhanced/{date|/}/thumbs/{image}.jpg"),
      ]
    ),
    JSONShape(
      service: "Art Institute of Chicago",
      mark: "api_link",
      start: "https://api.artic.edu/",
      says: [
        ("original", "https://www.artic.edu/iiif/2/{image_id}/full/full/0/default.jpg"),
        ("thumbnail", "https://www.artic.edu/iiif/2/{image_id}/full/400,/0/default.jpg"),
      ]
    ),
    JSONShape(
      service: "Victoria and Albert Museum",
      mark: "_iiif_image_base_url",
      says: [("original", "{_iiif_image_base_url}full/full/0/default.jpg")]
    ),
    JSONShape(
      service: "V&A thumbnail",
      mark: "_primary_thumbnail",
      says: [("thumbnail", "{_primary_thumbnail}")]
    ),
    JSONShape(
      service: "Europeana",
      mark: "edmPreview",
      says: [("original", "{edmIsShownBy}"), ("thumbnail", "{edmPreview}")]
    ),
    JSONShape(
      service: "Digital Public Library of America",
      mark: "sourceResource",
      says: [("title", "{sourceResource.title}"), ("thumbnail", "{object}")]
    ),
    JSONShape(
      service: "DigitalNZ",
      mark: "large_thumbnail_url",
      says: [("original", "{object_url}"), ("thumbnail", "{thumbnail_url}")]
    ),
    JSONShape(
      service: "Te Papa",
      mark: "pid",
      start: "tepapa:collection/Media/",
      says: [("thumbnail", "{previewUrl}")]
    ),
    JSONShape(
      service: "Danbooru",
      mark: "media_asset",
      says: [("thumbnails", "{media_asset.variants}")]
    ),
    JSONShape(
      service: "Squarespace",
      mark: "assetUrl",
      says: [("original", "{assetUrl}")]
    ),
    JSONShape(
      service: "Trove",
      mark: "linktype",
      start: "thumbnail",
      says: [("thumbnail", "{value}")]
    ),
    JSONShape(
      service: "Darwin Core, as GBIF has it",
      mark: "type",
      start: "StillImage",
      says: [("original", "{identifier}")]
    ),
    JSONShape(
      service: "iNaturalist",
      mark: "original_dimensions",
      says: [
        ("original", "{url|/square.>/original.}"), ("thumbnail", "{url|/square.>/small.}"),
      ]
    ),
    JSONShape(
      service: "SmugMug",
      mark: "ArchivedUri",
      says: [("original", "{ArchivedUri}")]
    ),
    JSONShape(
      service: "Moebooru",
      mark: "actual_preview_width",
      says: [("thumbnail", "{preview_url}")]
    ),
    JSONShape(
      service: "Reddit, the order of a gallery",
      mark: "media_metadata",
      adds: RedditGallery.members
    ),
  ]

  static let byMark = Dictionary(grouping: all, by: \.mark)

  /// Whether an object whose mark has this value is of this shape.
  func isShape(of mark: JSONValue) -> Bool {
    start.isEmpty || Self.text(mark).hasPrefix(start)
  }

  /// What an object of this shape says, in the common words.
  func members(of object: JSONValue) -> [JSONMember] {
    adds(object)
      + says.compactMap { name, text in
        Self.value(text, from: object).map { JSONMember(key: name, value: $0) }
      }
  }

  /// What a text says of an object: the member that it names alone, or a text with what it names
  /// filled in.
  private static func value(_ text: String, from object: JSONValue) -> JSONValue? {
    if text.hasPrefix("{"), text.firstIndex(of: "}") == text.indices.last, !text.contains("|") {
      return member(text.dropFirst().dropLast(), of: object)
    }
    return fill(text, from: object).map { .string($0) }
  }

  /// The member at a path such as `a.b`.
  private static func member(_ path: Substring, of object: JSONValue) -> JSONValue? {
    path.split(separator: ".").reduce(object) { value, name in value?[String(name)] }
  }

  /// A text, also where it is the first of a list.
  private static func text(_ value: JSONValue?) -> String {
    (value?.elements.first ?? value)?.scalar ?? ""
  }

  private static func fill(_ text: String, from object: JSONValue) -> String? {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      guard let value = value(of: rest[rest.index(after: open)..<close], in: object) else {
        return nil
      }
      result += value
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private static func value(of expression: Substring, in object: JSONValue) -> String? {
    let parts = expression.split(separator: "|", maxSplits: 1)
    let text = text(member(parts[0], of: object))
    if text.isEmpty { return nil }
    guard parts.count == 2 else { return text }
    if parts[1] == "/" { return text.prefix(10).split(separator: "-").joined(separator: "/") }
    let change = parts[1].split(separator: ">")
    return text.replacing(change[0], with: change[1])
  }
}

/// Reddit keys the pictures of a gallery by id, with names of one letter, and says their order
/// beside them.
enum RedditGallery {
  static func members(of post: JSONValue) -> [JSONMember] {
    let order = post["gallery_data"]?["items"]?.elements ?? []
    let pictures = order.compactMap { item in
      item["media_id"]?.string.flatMap { post["media_metadata"]?[$0] }.map(picture)
    }
    return pictures.isEmpty ? [] : [JSONMember(key: "photos", value: .array(pictures))]
  }

  private static func picture(_ media: JSONValue) -> JSONValue {
    .object([
      JSONMember(key: "original", value: size(media["s"] ?? .null)),
      JSONMember(key: "resolutions", value: .array((media["p"]?.elements ?? []).map(size))),
    ])
  }

  private static func size(_ value: JSONValue) -> JSONValue {
    .object([
      JSONMember(key: "url", value: value["u"] ?? value["gif"] ?? .null),
      JSONMember(key: "width", value: value["x"] ?? .null),
      JSONMember(key: "height", value: value["y"] ?? .null),
    ])
  }
}
