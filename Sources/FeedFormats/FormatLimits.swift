/// Every bound on what a document may make us hold, in one place.
enum FormatLimits {
  /// How many bytes may be looked at before the kind of a document is known.
  static let opening = 4096
  /// How many bytes of a text are looked at to tell its encoding.
  static let encodingSample = 8192
  /// How many bytes a document may unpack to.
  static let unpackedBytes = 512 << 20
  /// How many bytes are unpacked at a time.
  static let unpackedBlock = 64 << 10
  /// How many unpacked bytes are read before the images that were found in them are handed on.
  static let unpackedAtOnce = 256 << 10
  /// How deeply elements, objects and arrays may be nested.
  static let depth = 256
  /// How many bytes one entry of a JSON document may take.
  static let entryBytes = 4 << 20
  /// How many bytes an object that holds no entry may take before it is read member by member.
  static let wholeObjectBytes = 256 << 10
  /// How many bytes of members are kept before the first entry tells the kind of a document.
  static let earlyMembers = 1 << 20
  /// How many sizes of one picture an object of JSON may name; further ones are left out.
  static let sizes = 64
  /// How many bytes of an element's text are kept; no title, address or caption needs more.
  static let elementText = 64 << 10
  /// How many bytes an attribute's value may take; what is longer counts as missing.
  static let attributeBytes = 64 << 10
  /// How many bytes of a tag are looked at together; what comes behind them is left out.
  static let tag = 1 << 20
  /// How many bytes an address may have; what is longer counts as missing.
  static let address = 8 << 10
  /// How many bytes an entry's id may have; what is longer counts as missing.
  static let id = 4 << 10
  /// How many bytes the name of an attribute may have; what is longer is cut.
  static let attributeName = 1024
  /// How much memory the different names of a document may take, all of which expat keeps.
  static let names = 2 << 20
  /// How many attributes of an element are looked at.
  static let attributes = 100
  /// How many bytes a caption may have; what is longer is cut.
  static let caption = 16 << 10
  /// How many bytes a title may have; what is longer is cut.
  static let title = 2048
  /// How many bytes a description may have that stands in for a title.
  static let titleFromCaption = 200
  /// How many bytes of a text of HTML are kept; the longest articles need less.
  static let markupText = 1 << 20
  /// How many attributes of a tag of HTML are looked at.
  static let tagAttributes = 64
  /// How many addresses of a `srcset` are looked at.
  static let sourceSet = 64
  /// How many bytes of a web page are searched for the feeds it names.
  static let page = 1 << 20
  /// How many pictures one entry may name, thumbnails and renditions among them.
  static let picturesPerEntry = 5000
  /// How many entries of a JSON Feed are held back while all of them repeat one picture.
  static let heldBackEntries = 100
  /// How many addresses a list of feeds or a collection may name; further ones are left out.
  static let listedAddresses = 10_000
  /// How many bytes the addresses of such a list may have together; further ones are left out.
  static let listedAddressBytes = 4 << 20
  /// How many label/value pairs of a manifest are kept; further ones are left out.
  static let details = 100
  /// How many bytes the label of such a pair may have, and its value; what is longer is cut.
  static let detailLabel = 200
  static let detailValue = 2048
  /// How many bytes all of them may have together; from there on they are left out.
  static let detailBytes = 32 << 10
  /// How many values of one kind a manifest may say of itself; further ones are left out.
  static let manifestFacts = 200
  /// How many images are held back with those entries.
  static let heldBackImages = 1000
  /// How many flaws of a document are told.
  static let flaws = 20
  /// How many images of a text of HTML are named that are no pictures to look at.
  static let droppedImages = 50
  /// How many members of an entry are named to explain it.
  static let explainedMembers = 500
  /// How many names of members are remembered; further ones are looked up each time.
  static let rememberedNames = 4096
  /// How many bytes are cut or converted at a time.
  static let block = 16 << 10
}
