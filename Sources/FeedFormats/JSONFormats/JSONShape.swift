/// The services whose lists say in their own way where a picture is: one line for each.
///
/// A shape belongs to an object that has the member `mark`. It says the same in the common words,
/// as members that are put before those the object has.
struct JSONShape: Sendable {
  /// The member that an object of this shape has.
  private let mark: String
  /// How that member's text begins; every value counts when it is empty.
  private let start: String
  /// The members to add: a common name, and a text in which `{a.b}` stands for a member's text.
  ///
  /// `{date|/}` is a day as a path, and `{url|a>b}` has each `a` in it replaced with `b`.
  private let says: KeyValuePairs<String, String>
  /// Makes the members where texts cannot say it.
  private let adds: @Sendable (JSONValue) -> [JSONMember]

  private init(
    _ mark: String,
    start: String = "",
    _ says: KeyValuePairs<String, String> = [:],
    adds: @escaping @Sendable (JSONValue) -> [JSONMember] = { _ in [] }
  ) {
    (self.mark, self.start, self.says, self.adds) = (mark, start, says, adds)
  }

  private static let all = [
    // NASA EPIC, in natural and in enhanced colours.
    JSONShape(
      "image",
      start: "epic_1b_",
      [
        "original": "https://epic.gsfc.nasa.gov/archive/natural/{date|/}/png/{image}.png",
        "thumbnail": "https://epic.gsfc.nasa.gov/archive/natural/{date|/}/thumbs/{image}.jpg",
      ]
    ),
    JSONShape(
      "image",
      start: "epic_RGB_",
      [
        "original": "https://epic.gsfc.nasa.gov/archive/enhanced/{date|/}/png/{image}.png",
        "thumbnail": "https://epic.gsfc.nasa.gov/archive/enhanced/{date|/}/thumbs/{image}.jpg",
      ]
    ),
    // Art Institute of Chicago.
    JSONShape(
      "api_link",
      start: "https://api.artic.edu/",
      [
        "original": "https://www.artic.edu/iiif/2/{image_id}/full/full/0/default.jpg",
        "thumbnail": "https://www.artic.edu/iiif/2/{image_id}/full/400,/0/default.jpg",
      ]
    ),
    // Victoria and Albert Museum.
    JSONShape(
      "_iiif_image_base_url",
      ["original": "{_iiif_image_base_url}full/full/0/default.jpg"]
    ),
    JSONShape("_primary_thumbnail", ["thumbnail": "{_primary_thumbnail}"]),
    // Europeana.
    JSONShape("edmPreview", ["original": "{edmIsShownBy}", "thumbnail": "{edmPreview}"]),
    // Digital Public Library of America.
    JSONShape("sourceResource", ["title": "{sourceResource.title}", "thumbnail": "{object}"]),
    // DigitalNZ.
    JSONShape(
      "large_thumbnail_url",
      ["original": "{object_url}", "thumbnail": "{thumbnail_url}"]
    ),
    // Te Papa.
    JSONShape("pid", start: "tepapa:collection/Media/", ["thumbnail": "{previewUrl}"]),
    // Danbooru.
    JSONShape("media_asset", ["thumbnails": "{media_asset.variants}"]),
    // Squarespace.
    JSONShape("assetUrl", ["original": "{assetUrl}"]),
    // Trove.
    JSONShape("linktype", start: "thumbnail", ["thumbnail": "{value}"]),
    // Darwin Core, as GBIF has it.
    JSONShape("type", start: "StillImage", ["original": "{identifier}"]),
    // iNaturalist.
    JSONShape(
      "original_dimensions",
      ["original": "{url|/square.>/original.}", "thumbnail": "{url|/square.>/small.}"]
    ),
    // SmugMug.
    JSONShape("ArchivedUri", ["original": "{ArchivedUri}"]),
    // Moebooru.
    JSONShape("actual_preview_width", ["thumbnail": "{preview_url}"]),
    // Reddit, the order of a gallery.
    JSONShape("media_metadata", adds: RedditGallery.members),
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
