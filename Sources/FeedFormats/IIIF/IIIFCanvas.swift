/// Reads a canvas, which is a page or a side of what a manifest shows, as an entry.
enum IIIFCanvas {
  /// The entry, which has from the manifest what the canvas does not say itself.
  static func entry(of canvas: JSONValue, in manifest: IIIFDescription) -> Entry {
    let own = IIIFDescription(of: canvas)
    var entry = Entry()
    entry.id = canvas.iiifID
    entry.title = title(own.title, in: manifest.title)
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
