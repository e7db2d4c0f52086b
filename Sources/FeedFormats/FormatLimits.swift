/// All limits on the memory and work that a document may cost.
enum FormatLimits {
  /// The most bytes to read before the kind of a document is known.
  static let opening = 4096
  /// The most bytes of a text to examine for its encoding.
  static let encodingSample = 8192
  /// The most bytes that a document may unpack to.
  static let unpackedBytes = 512 << 20
  /// The number of bytes to unpack at a time.
  static let unpackedBlock = 64 << 10
  /// The number of unpacked bytes to read before the parser returns the entries found in them.
  static let unpackedAtOnce = 256 << 10
  /// The most levels to which elements, objects and arrays may be nested.
  static let depth = 256
  /// The most bytes of one entry of a JSON document.
  static let entryBytes = 4 << 20
  /// The most bytes of an object without entries; the cutter reads a longer one member by member.
  static let wholeObjectBytes = 256 << 10
  /// The most bytes of members to keep before the first entry reveals the kind of a document.
  static let earlyMembers = 1 << 20
  /// The most sizes of one picture in a JSON object; further ones are skipped.
  static let sizes = 64
  /// The most other renditions of an image to keep.
  static let renditions = 6
  /// The most bytes of an element's text to keep; no title, address or caption needs more.
  static let elementText = 64 << 10
  /// The most bytes of an attribute's value; a longer value counts as missing.
  static let attributeBytes = 64 << 10
  /// The most bytes of a tag to read together; the rest is skipped.
  static let tag = 1 << 20
  /// The most bytes of an address; a longer one counts as missing.
  static let address = 8 << 10
  /// The most bytes of an entry's id; a longer one counts as missing.
  static let id = 4 << 10
  /// The most bytes of an attribute's name; a longer one is cut.
  static let attributeName = 1024
  /// The most bytes of memory for the different names of a document, all of which expat keeps.
  static let names = 2 << 20
  /// The most attributes of an element to read.
  static let attributes = 100
  /// The most bytes of a caption; a longer one is cut.
  static let caption = 16 << 10
  /// The most bytes of a title; a longer one is cut.
  static let title = 2048
  /// The most bytes of a description that may serve as a title.
  static let titleFromCaption = 200
  /// The most bytes of an HTML text to keep; the longest articles need less.
  static let markupText = 1 << 20
  /// The most attributes of an HTML tag to read.
  static let tagAttributes = 64
  /// The most addresses of a `srcset` to read.
  static let sourceSet = 64
  /// The most feeds that are taken from a web page.
  static let feedsOfPage = 3
  /// The most bytes of a web page to search for the feeds that it names.
  static let page = 1 << 20
  /// The same for a page whose own pictures are followed.
  static let pageWithPictures = 8 << 20
  /// The most pictures of one entry, including thumbnails and renditions.
  static let picturesPerEntry = 5000
  /// The most entries to hold back until it is known which pictures they repeat.
  static let heldBackEntries = 100
  /// The most bytes of HTML to hold back with those entries.
  static let heldBackBytes = 4 << 20
  /// The most images to hold back with those entries.
  static let heldBackImages = 1000
  /// The most addresses to count in order to know which ones the entries repeat.
  static let countedAddresses = 20_000
  /// The most bytes of a repeated address to remember.
  static let rememberedAddress = 2048
  /// The number of entries to count before only every second one of those counted so far is.
  static let entriesCountedAtStride = 1000
  /// The most addresses in a list of feeds or a collection; further ones are skipped.
  static let listedAddresses = 10_000
  /// The most bytes of all addresses in such a list together; further ones are skipped.
  static let listedAddressBytes = 4 << 20
  /// The most label/value pairs of a manifest to keep; further ones are skipped.
  static let details = 100
  /// The most bytes of the label of such a pair, and of its value; longer ones are cut.
  static let detailLabel = 200
  static let detailValue = 2048
  /// The most bytes of all such pairs together; further ones are skipped.
  static let detailBytes = 32 << 10
  /// The most values of one kind in a manifest's description; further ones are skipped.
  static let manifestFacts = 200
  /// The most flaws of a document to report.
  static let flaws = 20
  /// The most images of an HTML text to report that are not meant for viewing.
  static let droppedImages = 50
  /// The most levels of a damaged JSON object whose members are read one at a time.
  static let damagedDepth = 8
  /// The most damaged entries of a JSON document behind which to search for the next one.
  static let skippedEntries = 100
  /// The most members of an entry to name in its explanation.
  static let explainedMembers = 500
  /// The most names of members to cache; further ones are looked up each time.
  static let rememberedNames = 4096
  /// The number of bytes to cut or convert at a time.
  static let block = 16 << 10
}
