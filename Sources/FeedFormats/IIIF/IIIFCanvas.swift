/// Reads a canvas, which is a page or a side of what a manifest shows, as an entry.
enum IIIFCanvas {
  /// The entry, which has from the manifest what the canvas does not say itself.
  static func entry(of canvas: JSONValue, in manifest: IIIFDescription) -> Entry {
    let own = IIIFDescription(of: canvas)
    var entry = Entry()
    entry.id = canvas.iiifID
    // What has a page of its own is an object of its own, and no page of a book.
    entry.title = own.page == nil ? title(own.title, in: manifest.title) : own.title
    entry.summary = own.caption ?? manifest.caption
    entry.author = own.author ?? manifest.author
    entry.licence = own.licence ?? manifest.licence
    entry.link = own.page ?? manifest.page ?? manifest.address
    entry.published = own.published ?? manifest.published
    entry.units = units(on: canvas)
    return entry
  }

  /// The canvas's label where it tells alone, else behind the manifest's ("Book of Hours, 1").
  ///
  /// A label tells alone when it names the object itself, or has two words of three letters at least that are no
  /// name of a part of a book: so neither "p. 12", "[3]", "Image 4" and "Title page" do, nor one word, such as
  /// "Bookplate", of which a collection has many. Whether a label comes again would be known at the collection's
  /// end only, and with every book that is added other titles would change.
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

  /// The pictures on the canvas; its thumbnail shows all of them, so it is that of a single one.
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

  /// Comments and the like lie on a canvas, too; some say of none what it is there for.
  private static func isPainting(_ annotation: JSONValue) -> Bool {
    let motivations = annotation.list("motivation").compactMap(\.string)
    return motivations.isEmpty || motivations.contains { $0.hasSuffix("painting") }
  }

  /// The images that the body of an annotation stands for; of a choice the first.
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

  /// The picture as its service gives it in full size, else as it stands.
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
  /// One that is known to be very small is joined by what its service offers beside it.
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

/// How resources of IIIF Presentation are written: version 2 as JSON-LD with `@id` and prefixed
/// types, version 3 without, and both with one value or several.
extension JSONValue {
  /// The resource's id; of one that is only named, the name.
  var iiifID: String? { string ?? self["id"]?.string ?? self["@id"]?.string }

  /// The resource's type without its prefix; empty when it says none.
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

  /// The values of a member; none when there is no such member.
  func list(_ key: String) -> [JSONValue] { self[key]?.listed ?? [] }
}

/// An image service (https://iiif.io/api/image/): gives one picture in any size asked for.
struct IIIFService {
  /// How wide a thumbnail is asked for.
  private static let thumbnailWidth = 320

  private let address: String
  private let version: Int
  /// Whether only the sizes that are listed can be asked for.
  private let isStatic: Bool
  private let sizes: [JSONValue]
  let width: Int?
  let height: Int?

  /// The newest image service among the services of a resource; nil if it is missing.
  static func best(of resource: JSONValue) -> IIIFService? {
    let usual = resource["@id"] == nil ? 3 : 2
    let services = resource.list("service").compactMap { IIIFService($0, usualVersion: usual) }
    guard let newest = services.map(\.version).max() else { return nil }
    return services.first { $0.version == newest }
  }

  /// Reads a service that is an object or an id alone; nil when it serves no images.
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

  /// Whether what a service says of its kind allows for images; saying nothing does.
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

  /// The thumbnails that can be asked for; none when the service offers no choice.
  ///
  /// No server has to make pictures larger than they are, so a narrow one is asked for as it is.
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

  /// What version 2 calls the default quality, version 1 calls the native one.
  private func request(size: String) -> String {
    "\(address)/full/\(size)/0/\(version == 1 ? "native" : "default").jpg"
  }
}
