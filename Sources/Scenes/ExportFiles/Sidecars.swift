import FoundationEssentials
import Models
package import Workers

/// Makes sidecars, which describe an image beside its file, as a JSON object or as XMP (ISO 16684-1).
///
/// Secrets in addresses are masked, as in every output. Addresses of files are left out, because sidecars go along with
/// pictures that are given away.
package struct Sidecars: SidecarMaking {
  package init() {}

  package func sidecar(of image: NamedImage, _ format: SidecarFormat) -> [UInt8] {
    switch format {
    case .json: JSONLine.lines([Record(image)])
    case .xmp: Array(XMP(image).text.utf8)
    }
  }
}

extension NamedImage {
  fileprivate func address(_ text: String?) -> String? {
    text.flatMap { WebAddress($0)?.published }
  }

  /// The name of its feed, which is the address of one without a title; nil for a file.
  fileprivate var feedName: String? { WebAddress(feed)?.isFile == true ? nil : feed }

  fileprivate var published: String? {
    state.fields.published.map { Wording.timestamp(Date(storedSeconds: $0)) }
  }
}

extension Record {
  fileprivate init(_ image: NamedImage) {
    let fields = image.state.fields
    self = [
      "id": .integer(image.id),
      "title": .text(fields.title),
      "caption": .text(fields.caption),
      "author": .text(fields.author),
      "licence": .text(fields.licence),
      "published": .text(image.published),
      "page": .text(image.address(fields.pageAddress)),
      "original": .text(image.address(fields.originalAddress)),
      "feed": ["id": .integer(image.state.feedID), "title": .text(image.feedName)],
      "manifest": .text(image.state.manifest?.label),
      "type": .text(image.original.format.mediaType),
      "bytes": .number(image.original.bytes),
      "width": .number(image.width),
      "height": .number(image.height),
      "sha256": .text(image.hash.hexadecimal),
    ]
  }
}

/// An XMP packet with properties of Dublin Core (ISO 16684-1, section 8.3) and of `xmpRights`.
private struct XMP {
  private var properties = ""

  init(_ image: NamedImage) {
    let fields = image.state.fields
    add("dc:title", "rdf:Alt", image.title)
    if let caption = fields.caption { add("dc:description", "rdf:Alt", caption) }
    if let author = fields.author { add("dc:creator", "rdf:Seq", author) }
    if let licence = fields.licence {
      add("dc:rights", "rdf:Alt", licence)
      if let address = WebAddress(licence), address.isWeb {
        add("xmpRights:WebStatement", address.masked)
      }
    }
    if let published = image.published { add("dc:date", "rdf:Seq", published) }
    add("dc:format", image.original.format.mediaType)
    if let source = image.address(fields.pageAddress) ?? image.address(fields.originalAddress) {
      add("dc:source", source)
    }
    if let original = image.address(fields.originalAddress) { add("dc:identifier", original) }
  }

  var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">
    \(properties)  </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>

    """
  }

  private mutating func add(_ name: String, _ value: String) {
    properties += "   <\(name)>\(XMLEscaping.escaped(value))</\(name)>\n"
  }

  private mutating func add(_ name: String, _ array: String, _ value: String) {
    let language = array == "rdf:Alt" ? " xml:lang=\"x-default\"" : ""
    properties += """
         <\(name)><\(array)><rdf:li\(language)>\(XMLEscaping.escaped(value))</rdf:li></\(array)></\(name)>

      """
  }
}
