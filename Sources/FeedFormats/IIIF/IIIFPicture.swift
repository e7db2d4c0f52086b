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
    var original = Candidate(reference: reference)
    original.type = "image"
    original.width = service?.width ?? image["width"]?.integer
    original.height = service?.height ?? image["height"]?.integer
    var unit = MediaUnit(isGroup: true)
    unit.renditions = [original]
    unit.thumbnails = thumbnails(of: image)
    if unit.thumbnails.isEmpty {
      unit.thumbnails = service?.thumbnails(ofWidth: original.width) ?? []
    }
    return unit
  }

  /// The thumbnails that a resource names itself.
  ///
  /// One that is known to be very small is joined by what its service offers beside it.
  static func thumbnails(of resource: JSONValue) -> [Candidate] {
    resource.list("thumbnail").flatMap { thumbnail -> [Candidate] in
      let service = IIIFService.best(of: thumbnail)
      guard let id = thumbnail.iiifID else { return service?.thumbnails(ofWidth: nil) ?? [] }
      var own = Candidate(reference: id)
      own.type = "image"
      own.width = thumbnail["width"]?.integer
      own.height = thumbnail["height"]?.integer
      let isSmall = own.longerSide.map { $0 < ThumbnailRule.enough } ?? false
      return [own] + (isSmall ? service?.thumbnails(ofWidth: service?.width) ?? [] : [])
    }
  }
}
