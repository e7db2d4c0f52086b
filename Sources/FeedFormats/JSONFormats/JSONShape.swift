/// The services whose lists have their own notation for pictures, one line for each.
///
/// A shape applies to an object with the member `mark`. It translates the object into common
/// members, which take precedence over the object's own.
struct JSONShape: Sendable {
  /// The member that an object of this shape has.
  private let mark: String
  /// The beginning of that member's text; any value matches when this is empty.
  private let start: String
  /// The members to add: a common name, and a text in which `{a.b}` is replaced with a member's text.
  ///
  /// `{date|/}` turns a day into a path, and `{url|a>b}` replaces each `a` with `b`.
  private let says: KeyValuePairs<String, String>
  /// Makes the members that a text cannot describe.
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
    // Darwin Core, as GBIF uses it.
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
    // Instagram, as Instaloader and gallery-dl store it.
    JSONShape("edge_media_to_caption", adds: InstagramPost.members),
    JSONShape("edge_sidecar_to_children", adds: InstagramPost.pictures),
    // Reddit: the order of a gallery.
    JSONShape("media_metadata", adds: RedditGallery.members),
  ]

  static let byMark = Dictionary(grouping: all, by: \.mark)

  /// Whether an object whose mark has this value has this shape.
  func isShape(of mark: JSONValue) -> Bool {
    start.isEmpty || Self.text(mark).hasPrefix(start)
  }

  /// The common members for an object of this shape.
  func members(of object: JSONValue) -> [JSONMember] {
    adds(object)
      + says.compactMap { name, text in
        Self.value(text, from: object).map { JSONMember(key: name, value: $0) }
      }
  }

  /// The value of a text for an object: a member if the text is only its name, else the text with
  /// its placeholders replaced.
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

  /// A value as text; of a list, the first element.
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

/// Reads a gallery of Reddit, whose pictures have ids as keys and members named by single letters;
/// the order is in another member.
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

/// Reads a post of Instagram: its caption and pictures are in the nodes of edges.
enum InstagramPost {
  /// The words of a post.
  static func members(of post: JSONValue) -> [JSONMember] {
    var members: [JSONMember] = []
    if let text = nodes(of: post["edge_media_to_caption"]).first?["text"] {
      members.append(JSONMember(key: "caption", value: text))
    }
    if let date = post["taken_at_timestamp"] ?? post["taken_at"] {
      members.append(JSONMember(key: "published", value: date))
    }
    if let code = post["shortcode"]?.string {
      let page = "https://www.instagram.com/p/\(code)/"
      members.append(JSONMember(key: "pageUrl", value: .string(page)))
    }
    return members
  }

  /// The pictures of a post with several; a video has the picture before it begins.
  static func pictures(of post: JSONValue) -> [JSONMember] {
    let pictures = nodes(of: post["edge_sidecar_to_children"]).map { node in
      JSONValue.object([
        JSONMember(key: "original", value: node["display_url"] ?? .null),
        JSONMember(key: "width", value: node["dimensions"]?["width"] ?? .null),
        JSONMember(key: "height", value: node["dimensions"]?["height"] ?? .null),
      ])
    }
    return pictures.isEmpty ? [] : [JSONMember(key: "photos", value: .array(pictures))]
  }

  private static func nodes(of connection: JSONValue?) -> [JSONValue] {
    (connection?["edges"]?.elements ?? []).compactMap { $0["node"] }
  }
}
