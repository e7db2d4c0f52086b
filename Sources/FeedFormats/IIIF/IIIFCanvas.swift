/// Reads a canvas, which is a page or a side of the manifest's object, as an entry.
enum IIIFCanvas {
  /// The entry of a canvas; the manifest supplies the facts that the canvas lacks.
  static func entry(of canvas: JSONValue, in manifest: IIIFDescription) -> Entry {
    let own = IIIFDescription(of: canvas)
    var entry = Entry()
    entry.id = canvas.iiifID
    // A canvas with its own page is a separate object, and not a page of a book.
    entry.title = own.page == nil ? title(own.title, in: manifest.title) : own.title
    entry.summary = own.caption ?? manifest.caption
    entry.author = own.author ?? manifest.author
    entry.licence = own.licence ?? manifest.licence
    entry.link = own.page ?? manifest.page ?? manifest.address
    entry.published = own.published ?? manifest.published
    entry.units = units(on: canvas)
    return entry
  }

  /// The canvas's label if it is meaningful alone, else the manifest's label before it ("Book of Hours, 1").
  ///
  /// A label is meaningful alone when it names the object itself, or has at least two words of
  /// three letters that do not name a part of a book. So "p. 12", "[3]", "Image 4" and "Title page"
  /// are not, and neither is one word such as "Bookplate", which is common in collections. A check
  /// for repeated labels would have to wait for the end of the collection, and each new book would
  /// change other titles.
  private static func title(_ own: String?, in manifest: String?) -> String? {
    guard let own, let manifest else { return own ?? manifest }
    if tellsAlone(own) || words(of: own).contains(words(of: manifest)) { return own }
    return PlainText.line(of: "\(manifest), \(own)", limit: FormatLimits.title)
  }

  private static func tellsAlone(_ label: String) -> Bool {
    let telling = words(of: label).filter { word in
      word.count >= 3 && word.allSatisfy(\.isLetter) && !partNames.contains(word)
    }
    return telling.count >= 2
  }

  private static func words(of label: String) -> [String] {
    label.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  private static let partNames: Set<String> = [
    "and", "back", "bar", "bars", "binding", "blank", "board", "bookplate", "canvas", "chart",
    "color", "colour", "cover", "covers", "detail", "edge", "endpaper", "figure", "fly", "flyleaf",
    "fol", "folio", "folios", "fore", "front", "frontispiece", "head", "image", "images", "inner",
    "inside", "leaf", "left", "lower", "map", "number", "obverse", "open", "outer", "outside",
    "page", "pages", "part", "paste", "pastedown", "photo", "picture", "plate", "recto", "reverse",
    "right", "ruler", "scale", "scan", "section", "sheet", "side", "spine", "tail", "target", "the",
    "title", "top", "bottom", "upper", "verso", "view", "vol", "volume", "with",
    "blatt", "bild", "buchdeckel", "deckel", "einband", "hinten", "rücken", "rückseite", "seite",
    "spiegel", "titelblatt", "vorderdeckel", "vorderseite", "vorn", "vorsatz",
    "arrière", "contreplat", "couverture", "dos", "feuille", "feuillet", "garde", "inférieur",
    "plat", "supérieur", "titre", "vue",
    "carta", "copertina", "dorso", "foglio", "pagina", "página", "portada", "tapa", "omslag",
    "voorkant", "achterkant", "bladzijde",
  ]

  /// The pictures on the canvas; its thumbnail shows all of them, so only a single picture gets it.
  private static func units(on canvas: JSONValue) -> [MediaUnit] {
    var units = IIIFPicture.units(on: canvas)
    if units.count > FormatLimits.picturesPerEntry {
      units.removeLast(units.count - FormatLimits.picturesPerEntry)
    }
    guard units.count == 1 else { return units }
    let thumbnails = IIIFPicture.thumbnails(of: canvas)
    if !thumbnails.isEmpty { units[0].thumbnails = thumbnails }
    return units
  }
}

/// Finds the pictures that are painted on a canvas.
enum IIIFPicture {
  /// A picture of each image that is painted on the canvas, in order.
  static func units(on canvas: JSONValue) -> [MediaUnit] {
    let pages = canvas.list("items").flatMap { $0.list("items") }
    let paintings = (canvas.list("images") + pages).filter(isPainting)
    let bodies = paintings.flatMap { $0.list("body") + $0.list("resource") }
    return bodies.flatMap(images).compactMap(unit)
  }

  /// Whether an annotation is a picture: canvases have comments as well, and some documents omit the purpose.
  private static func isPainting(_ annotation: JSONValue) -> Bool {
    let motivations = annotation.list("motivation").compactMap(\.string)
    return motivations.isEmpty || motivations.contains { $0.hasSuffix("painting") }
  }

  /// The images in the body of an annotation; for a choice, the first one.
  private static func images(in body: JSONValue) -> [JSONValue] {
    switch body.iiifType {
    case "Choice":
      let choices = body.list("default") + body.list("items") + body.list("item")
      return choices.lazy.map(images).first { !$0.isEmpty } ?? []
    case "SpecificResource":
      return (body.list("source") + body.list("full")).flatMap(images)
    case "List", "Composite", "Independents":
      return body.list("items").flatMap(images)
    default:
      return isImage(body) ? [body] : []
    }
  }

  private static func isImage(_ body: JSONValue) -> Bool {
    if body.iiifType == "Image" { return true }
    if let format = body["format"]?.string { return format.hasPrefix("image/") }
    let isNamed = body.iiifID.map { JSONAddress.isAbsolute($0) && ImageTest.hasImageExtension($0) }
    return body.iiifType.isEmpty && (isNamed ?? false || IIIFService.best(of: body) != nil)
  }

  /// The picture in full size from its service, else the picture itself.
  private static func unit(_ image: JSONValue) -> MediaUnit? {
    let service = IIIFService.best(of: image)
    guard let reference = service?.fullSize ?? image.iiifID else { return nil }
    let original = Candidate(
      reference: reference,
      type: "image",
      width: service?.width ?? image["width"]?.integer,
      height: service?.height ?? image["height"]?.integer
    )
    let own = thumbnails(of: image)
    let thumbnails = own.isEmpty ? service?.thumbnails(ofWidth: original.width) ?? [] : own
    return MediaUnit(isGroup: true, renditions: [original], thumbnails: thumbnails)
  }

  /// The thumbnails that a resource names itself.
  ///
  /// If a thumbnail is known to be very small, the list also includes those of its service.
  static func thumbnails(of resource: JSONValue) -> [Candidate] {
    resource.list("thumbnail").flatMap { thumbnail -> [Candidate] in
      let service = IIIFService.best(of: thumbnail)
      guard let id = thumbnail.iiifID else { return service?.thumbnails(ofWidth: nil) ?? [] }
      let own = Candidate(
        reference: id,
        type: "image",
        width: thumbnail["width"]?.integer,
        height: thumbnail["height"]?.integer
      )
      let isSmall = own.longerSide.map { $0 < ThumbnailRule.enough } ?? false
      return [own] + (isSmall ? service?.thumbnails(ofWidth: service?.width) ?? [] : [])
    }
  }
}

/// The notation of IIIF Presentation resources: version 2 is JSON-LD with `@id` and prefixed types,
/// version 3 has no prefixes, and both have one value or several.
extension JSONValue {
  /// The resource's id; for a reference to a resource, the reference itself.
  var iiifID: String? { string ?? self["id"]?.string ?? self["@id"]?.string }

  /// The resource's type without its prefix; empty when it has no type.
  var iiifType: Substring {
    let type = self["type"] ?? self["@type"] ?? .null
    let text = type.string ?? type.elements.first?.string ?? ""
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return text[...] }
    return text[text.utf8.index(after: colon)...]
  }

  /// The value as a list: several values, one, or none.
  var listed: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }

  /// The values of a member; empty when the member is missing.
  func list(_ key: String) -> [JSONValue] { self[key]?.listed ?? [] }
}

/// An image service (https://iiif.io/api/image/), which returns one picture in any requested size.
struct IIIFService {
  /// The width of the thumbnails to request.
  private static let thumbnailWidth = 320

  private let address: String
  private let version: Int
  /// Whether only the listed sizes can be requested.
  private let isStatic: Bool
  private let sizes: [JSONValue]
  let width: Int?
  let height: Int?

  /// The newest image service of a resource; nil when it has no image service.
  static func best(of resource: JSONValue) -> IIIFService? {
    let usual = resource["@id"] == nil ? 3 : 2
    let services = resource.list("service").compactMap { IIIFService($0, usualVersion: usual) }
    guard let newest = services.map(\.version).max() else { return nil }
    return services.first { $0.version == newest }
  }

  /// Reads a service that is an object or only an id; nil when it does not serve images.
  private init?(_ service: JSONValue, usualVersion: Int) {
    guard let id = service.iiifID, JSONAddress.isAbsolute(id) else { return nil }
    let profiles = service.list("profile").compactMap(\.iiifID)
    let marks =
      [String(service.iiifType)] + profiles
      + (service.list("@context") + service.list("protocol")).compactMap(\.string)
    guard Self.servesImages(marks) else { return nil }
    address = Self.base(id)
    version = Self.version(marks) ?? usualVersion
    isStatic = profiles.contains { Self.holds($0, anyOf: ["level0"]) }
    sizes = service.list("sizes")
    width = service["width"]?.integer
    height = service["height"]?.integer
  }

  /// Whether a service can serve images by its type and profile; without these, it can.
  private static func servesImages(_ marks: [String]) -> Bool {
    marks.allSatisfy(\.isEmpty) || marks.contains { holds($0, anyOf: imageMarks) }
  }

  private static func version(_ marks: [String]) -> Int? {
    versions.first { version in marks.contains { holds($0, anyOf: version.marks) } }?.number
  }

  private static let imageMarks: [StaticString] = [
    "ImageService", "/api/image", "image-api", "level",
  ]

  private static let versions: [(number: Int, marks: [StaticString])] = [
    (3, ["ImageService3", "/image/3"]), (2, ["ImageService2", "/image/2"]),
    (1, ["ImageService1", "/image/1", "image-api/1"]),
  ]

  private static func holds(_ mark: String, anyOf words: [StaticString]) -> Bool {
    let bytes = mark.utf8Span.span
    for word in words where bytes.first(word, from: 0) != nil { return true }
    return false
  }

  private static func base(_ id: String) -> String {
    var base = id[...]
    if base.hasSuffix("/info.json") { base = base.dropLast("/info.json".count) }
    while base.hasSuffix("/") { base = base.dropLast() }
    return String(base)
  }

  /// The address of the whole picture in its full size.
  var fullSize: String { request(size: version == 3 ? "max" : "full") }

  /// The thumbnails that can be requested; empty when a static service lists no sizes.
  ///
  /// Servers need not enlarge pictures, so a narrow picture is requested in its own width.
  func thumbnails(ofWidth width: Int?) -> [Candidate] {
    if isStatic { return sizes.compactMap(listed) }
    let side = min(width ?? Self.thumbnailWidth, Self.thumbnailWidth)
    return [candidate(size: "\(side),", width: side, height: nil)]
  }

  private func listed(_ size: JSONValue) -> Candidate? {
    guard let width = size["width"]?.integer, let height = size["height"]?.integer else {
      return nil
    }
    return candidate(size: "\(width),\(height)", width: width, height: height)
  }

  private func candidate(size: String, width: Int, height: Int?) -> Candidate {
    Candidate(reference: request(size: size), type: "image", width: width, height: height)
  }

  /// The address of the picture in a size; version 1 calls the default quality "native".
  private func request(size: String) -> String {
    "\(address)/full/\(size)/0/\(version == 1 ? "native" : "default").jpg"
  }
}
