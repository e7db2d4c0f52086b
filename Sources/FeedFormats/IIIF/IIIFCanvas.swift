/// Reads a canvas, which is a page or a side of what a manifest shows, as an entry.
enum IIIFCanvas {
  /// The entry, which has from the manifest what the canvas does not say itself.
  static func entry(of canvas: JSONValue, in manifest: IIIFDescription) -> Entry {
    let own = IIIFDescription(of: canvas)
    var entry = Entry()
    entry.id = canvas.iiifID
    entry.title = own.title ?? manifest.title
    entry.summary = own.caption ?? manifest.caption
    entry.author = own.author ?? manifest.author
    entry.licence = own.licence ?? manifest.licence
    entry.link = own.page ?? manifest.page
    entry.units = units(on: canvas)
    return entry
  }

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
