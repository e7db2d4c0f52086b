import Models
import Workers

/// Reads a canvas, which is a page or a side of the manifest's object, as an entry.
enum IIIFCanvas {
  /// The entry of a canvas; the manifest supplies the facts that the canvas lacks.
  static func entry(of canvas: JSONValue, in manifest: IIIFDescription) -> Entry {
    let own = IIIFDescription(of: canvas, in: manifest.languages)
    var entry = Entry()
    entry.id = canvas.iiifID
    // A canvas with its own page is a separate object, and not a page of a book.
    entry.title = own.page == nil ? title(own.title, in: manifest.title) : own.title
    let caption = own.caption ?? manifest.caption
    // So a search finds the title in each of its languages.
    let others = own.otherTitles.map { "\($0.language): \($0.text)" }
    let words = [caption].compactMap(\.self) + others
    // Without other titles, all canvases share the text of the manifest's caption.
    entry.summary = others.isEmpty ? caption : words.joined(separator: " — ")
    entry.author = own.author ?? manifest.author
    entry.licence = own.licence ?? manifest.licence
    entry.link = own.page ?? manifest.page ?? manifest.address
    entry.published = own.published ?? manifest.published
    entry.units = units(on: canvas)
    entry.unitPlace = .canvas
    entry.alternatives = IIIFPicture.alternatives(on: canvas)
    return entry
  }

  /// The addresses of the pages with the pictures of a canvas; nil for a page that neither is embedded nor has an
  /// address (Presentation 3.0, section 5.5).
  static func pages(of canvas: JSONValue) -> [String?] {
    canvas.list("items").filter { $0["items"] == nil }.map(\.iiifID)
  }

  /// The words for the pictures of a canvas that are in pages of their own.
  static func words(of canvas: JSONValue, in manifest: IIIFDescription) -> EntryWords {
    let entry = entry(of: canvas, in: manifest)
    let thumbnails = IIIFPicture.thumbnails(of: canvas) + IIIFPicture.standIns(of: canvas)
    var words = EntryWords(id: entry.id, title: entry.title)
    words.caption = entry.summary
    words.author = entry.author
    words.licence = entry.licence
    words.published = entry.published
    words.page = entry.link
    words.thumbnail = ThumbnailRule.choose(from: thumbnails)?.reference
    return words
  }

  /// The entry with the pictures that the annotations of a page paint.
  static func entry(of annotations: [JSONValue], _ words: EntryWords?) -> Entry {
    let page = JSONValue.object([JSONMember(key: "items", value: .array(annotations))])
    let canvas = JSONValue.object([JSONMember(key: "items", value: .array([page]))])
    var entry = Entry()
    entry.id = words?.id
    entry.title = words?.title
    entry.summary = words?.caption
    entry.author = words?.author
    entry.licence = words?.licence
    entry.published = words?.published
    entry.link = words?.page
    entry.units = units(on: canvas)
    entry.unitPlace = .canvas
    entry.alternatives = IIIFPicture.alternatives(on: canvas)
    if let thumbnail = words?.thumbnail, entry.units.count == 1 {
      entry.units[0].thumbnails.insert(Candidate(reference: thumbnail, type: "image"), at: 0)
    }
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
    if units[0].thumbnails.isEmpty { units[0].thumbnails = IIIFPicture.standIns(of: canvas) }
    return units
  }
}

/// Finds the pictures that are painted on a canvas.
enum IIIFPicture {
  /// A picture of each image that is painted on the canvas, in order.
  static func units(on canvas: JSONValue) -> [MediaUnit] {
    bodies(on: canvas).flatMap(images).compactMap { unit($0, onWidth: canvas["width"]?.integer) }
  }

  private static func bodies(on canvas: JSONValue) -> [JSONValue] {
    let pages = canvas.list("items").flatMap { $0.list("items") }
    let paintings = (canvas.list("images") + pages).filter(isPainting)
    return paintings.flatMap { $0.list("body") + $0.list("resource") }
  }

  /// The bodies of choices that are no pictures of the entry.
  static func alternatives(on canvas: JSONValue) -> [Candidate] {
    bodies(on: canvas).filter { $0.iiifType == "Choice" }.flatMap { choice in
      bodies(ofChoice: choice).flatMap(images).dropFirst()
        .compactMap { $0.iiifID.map { Candidate(reference: $0, type: "image") } }
    }
  }

  /// The canvases that represent another one before and beside it (Presentation 3.0, section 3.4).
  private static let standIns = ["placeholderCanvas", "accompanyingCanvas"]

  /// The thumbnails of the first picture on the canvases that represent a canvas, or that picture itself.
  static func standIns(of canvas: JSONValue) -> [Candidate] {
    let first = standIns.lazy.compactMap { canvas[$0] }.compactMap { units(on: $0).first }.first
    return first.map { $0.thumbnails.isEmpty ? $0.renditions : $0.thumbnails } ?? []
  }

  private static func bodies(ofChoice choice: JSONValue) -> [JSONValue] {
    choice.list("default") + choice.list("items") + choice.list("item")
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
      return bodies(ofChoice: body).lazy.map(images).first { !$0.isEmpty } ?? []
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

  /// The picture in full size from its service, and else the picture itself.
  ///
  /// The id of a picture is its address (Presentation 3.0, section 5.7). It comes first where the service would only
  /// encode the file again, and where the service is static and has only the files that its generator wrote.
  private static func unit(_ image: JSONValue, onWidth width: Int?) -> MediaUnit? {
    let service = IIIFService.best(of: image)
    let id = image.iiifID.flatMap { service == nil || JSONAddress.isAbsolute($0) ? $0 : nil }
    let whole = service.map { [$0.fullSize] + $0.largestListed } ?? []
    let isWholeFile = service?.isWholeFile(image) ?? false
    let isIDFirst = isWholeFile || service?.isStatic == true
    let references =
      isIDFirst ? [id].compactMap(\.self) + whole : whole + [id].compactMap(\.self)
    guard let reference = references.first else { return nil }
    let declared = IIIFService.declaredSize(of: image)
    let size = isWholeFile ? declared : service?.size(of: image) ?? declared
    let original = Candidate(
      reference: reference,
      type: "image",
      width: size.width,
      height: size.height
    )
    let own = thumbnails(of: image)
    let asked = original.width ?? width
    let thumbnails = own.isEmpty ? service?.thumbnails(ofWidth: asked) ?? [] : own
    var unit = MediaUnit(isGroup: true, renditions: [original], thumbnails: thumbnails)
    unit.spares = references.dropFirst().filter { $0 != reference }.map {
      Candidate(reference: $0, type: "image")
    }
    return unit
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
  let isStatic: Bool
  /// The most pixels that it gives on each side, and in all (Image API 2.1 and 3.0, section 5.2).
  private let mostWidth: Int?
  private let mostHeight: Int?
  private let mostArea: Int?
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
    let limits = [service] + service.list("profile")
    func least(_ key: String) -> Int? {
      limits.compactMap { $0[key]?.integer }.filter { $0 > 0 }.min()
    }
    mostWidth = least("maxWidth")
    // Without a limit of its own, the height has that of the width.
    mostHeight = least("maxHeight") ?? mostWidth
    mostArea = least("maxArea")
  }

  private var isLimited: Bool { mostWidth != nil || mostHeight != nil || mostArea != nil }

  /// The size of the whole picture as the service gives it.
  func size(of image: JSONValue) -> (width: Int?, height: Int?) {
    let declared = Self.declaredSize(of: image)
    guard let width = width ?? declared.width, let height = height ?? declared.height, width > 0,
      height > 0
    else { return (width ?? declared.width, height ?? declared.height) }
    let pixels = Double(width) * Double(height)
    let scales = [
      mostWidth.map { Double($0) / Double(width) }, mostHeight.map { Double($0) / Double(height) },
      mostArea.map { (Double($0) / pixels).squareRoot() },
    ]
    let scale = scales.compactMap(\.self).reduce(1, min)
    return (Int(Double(width) * scale), Int(Double(height) * scale))
  }

  /// Whether a picture is a file with all pixels of the service, and not an answer of the service.
  func isWholeFile(_ image: JSONValue) -> Bool {
    guard let id = image.iiifID, JSONAddress.isAbsolute(id), let width, let height else {
      return false
    }
    let declared = Self.declaredSize(of: image)
    // The scheme of the two addresses may differ, so the form of a request counts as well (Image API 3.0, section 4).
    let isAnswer = id.hasPrefix(address + "/") || id.contains("/full/")
    return declared.width == width && declared.height == height && !isAnswer
  }

  static func declaredSize(of image: JSONValue) -> (width: Int?, height: Int?) {
    (image["width"]?.integer, image["height"]?.integer)
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

  /// The address of the whole picture in its full size, or in the largest that its limits allow.
  var fullSize: String {
    request(size: version == 3 || version == 2 && isLimited ? "max" : "full")
  }

  /// The address of the largest size that a static service lists; generators need not write the whole picture.
  var largestListed: [String] {
    guard isStatic else { return [] }
    let largest = sizes.max { ($0["width"]?.integer ?? 0) < ($1["width"]?.integer ?? 0) }
    return largest.map { listed($0).prefix(1).map(\.reference) } ?? []
  }

  /// The thumbnails that can be requested; empty when a static service lists no sizes.
  ///
  /// Servers need not enlarge pictures, so a narrow picture is requested in its own width.
  func thumbnails(ofWidth width: Int?) -> [Candidate] {
    if isStatic { return sizes.flatMap(listed) }
    let side = min(width ?? Self.thumbnailWidth, Self.thumbnailWidth)
    return [candidate(size: "\(side),", width: side, height: nil)]
  }

  /// The addresses of a size, the canonical form of the version first: `w,` in version 2 (Image API 2.1, section 4.7).
  private func listed(_ size: JSONValue) -> [Candidate] {
    guard let width = size["width"]?.integer, let height = size["height"]?.integer else {
      return []
    }
    let both = candidate(size: "\(width),\(height)", width: width, height: height)
    if version == 3 { return [both] }
    return [candidate(size: "\(width),", width: width, height: height), both]
  }

  private func candidate(size: String, width: Int, height: Int?) -> Candidate {
    Candidate(reference: request(size: size), type: "image", width: width, height: height)
  }

  /// The address of the picture in a size; version 1 calls the default quality "native".
  private func request(size: String) -> String {
    "\(address)/full/\(size)/0/\(version == 1 ? "native" : "default").jpg"
  }
}
