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

  /// The newest image service among the services of a resource; nil when there is none.
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
    var candidate = Candidate(reference: request(size: size))
    candidate.type = "image"
    candidate.width = width
    candidate.height = height
    return candidate
  }

  /// What version 2 calls the default quality, version 1 calls the native one.
  private func request(size: String) -> String {
    "\(address)/full/\(size)/0/\(version == 1 ? "native" : "default").jpg"
  }
}
