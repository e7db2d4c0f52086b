import Models
import Workers

/// The addresses that the entries of a feed repeat.
struct RepeatedAddresses {
  /// The identities of pictures that are no pictures of an entry: banners, portraits, buttons.
  var pictures: Set<String> = []
  /// The addresses in HTML that stand in the place of several pictures.
  var standIns: Set<String> = []
  /// Whether the document has no other pictures, so that one that an entry declares counts.
  var isAll = false

  var isEmpty: Bool { pictures.isEmpty && standIns.isEmpty }

  /// Whether a picture does not belong to its entry; a declared one is not only in the HTML.
  func hides(_ address: WebAddress, isDeclared: Bool) -> Bool {
    pictures.contains(address.identity) && !(isAll && isDeclared)
  }
}

/// Finds the pictures that many entries of a feed repeat.
///
/// The first entries are held back until their number suffices to judge, or the document ends. The
/// decision depends only on these entries and on the earlier documents of the feed, never on the
/// timing of their arrival. The later entries count for the next document.
struct RepeatedPictures {
  private struct Held {
    let images: EntryImages
    let entry: FeedEntry?
  }

  /// The entries that a taken entry completes, and facts about its own pictures.
  struct Taken {
    var entries: [FeedEntry] = []
    /// Whether Media RSS named its images.
    var usesMedia = false
    /// The number of its pictures, before it is known which of them are repeated.
    var pictures = 0
  }

  private var held: [Held] = []
  private var imageCount = 0
  private var bytes = 0
  private var isDecided = false
  private var repeated = RepeatedAddresses()
  /// The identities of the pictures that earlier documents repeated.
  private let remembered: Set<String>
  /// Those among them that an entry still names.
  private var named: Set<String> = []
  private var counts = RepeatCounts()
  /// The identities of the hidden pictures that an entry has reported.
  private var reported: Set<String> = []

  init(of source: FeedSource) { remembered = source.repeated }

  /// Takes an entry.
  mutating func take(_ images: EntryImages) -> Taken {
    if isDecided { images.repeated = repeated }
    let found = images.found()
    var taken = Taken(usesMedia: found.usesMedia, pictures: found.entry?.images.count ?? 0)
    if isDecided {
      count(found.entry, images)
      if let entry = reporting(found.entry, images) { taken.entries = [entry] }
      return taken
    }
    held.append(Held(images: images, entry: found.entry))
    imageCount += taken.pictures
    bytes += images.markupBytes
    let isFull =
      held.count >= FormatLimits.heldBackEntries || imageCount > FormatLimits.heldBackImages
      || bytes > FormatLimits.heldBackBytes
    if isFull { taken.entries = decided() }
    return taken
  }

  /// Decides from the held entries and the earlier documents, and returns the held entries.
  mutating func decided() -> [FeedEntry] {
    if isDecided { return [] }
    isDecided = true
    findStandIns()
    let entries = held.map { held in self.entry(of: held) }
    for (held, entry) in zip(held, entries) { count(entry, held.images) }
    let own = counts.repeated
    repeated.pictures = own.union(remembered)
    defer { held = [] }
    if repeated.pictures.isEmpty { return entries.compactMap(\.self) }
    // One new entry does not make a banner of earlier documents its picture.
    repeated.isAll = !own.isEmpty && counts.areAllOriginals(in: repeated.pictures)
    if repeated.isAll { repeated.isAll = !hasLaterPictures }
    return held.compactMap { held in
      let entry = self.entry(of: held)
      noteNamed(held.images)
      return reporting(entry, held.images)
    }
  }

  /// Whether a place behind the repeated pictures in front has others, which then are the images.
  private var hasLaterPictures: Bool {
    mutating get {
      guard held.first?.images.feed.imageChoice == .front else { return false }
      repeated.isAll = false
      return held.contains { entry(of: $0)?.images.isEmpty == false }
    }
  }

  /// The identities of the pictures that the document repeats, or that earlier ones repeated and it still names.
  ///
  /// Empty if the document has no other pictures. The most frequent come first.
  var found: [String] {
    let own = counts.repeated
    if !own.isEmpty, counts.areAllOriginals(in: own.union(remembered)) { return [] }
    return counts.mostFrequent(of: own.union(named))
  }

  /// The entry, read again if it names an address that turned out to be repeated.
  private func entry(of held: Held) -> FeedEntry? {
    let addresses = held.entry?.images.flatMap { [$0.originalAddress, $0.thumbnailAddress] } ?? []
    let names = addresses.contains { address in
      address.map { repeated.pictures.contains($0.identity) } ?? false
    }
    let stands = held.images.shadows.contains { repeated.standIns.contains($0.standIn) }
    guard names || stands || held.images.feed.isExplained else { return held.entry }
    held.images.repeated = repeated
    return held.images.found().entry
  }

  /// The entry with the hidden pictures that no other entry has reported yet, which may be stored.
  private mutating func reporting(_ entry: FeedEntry?, _ images: EntryImages) -> FeedEntry? {
    if images.hidden.isEmpty || repeated.isAll { return entry }
    let new = images.hidden.filter { reported.insert($0.identity).inserted }
    if new.isEmpty { return entry }
    var entry = entry ?? FeedEntry(images: [])
    entry.repeated = new
    return entry
  }

  private mutating func count(_ entry: FeedEntry?, _ images: EntryImages) {
    noteNamed(images)
    guard counts.countsNext() else { return }
    for image in entry?.images ?? [] {
      counts.add(image.originalAddress.identity, isOriginal: true)
      if let thumbnail = image.thumbnailAddress { counts.add(thumbnail.identity) }
    }
    for address in images.hidden { counts.add(address.identity) }
    counts.endEntry()
  }

  private mutating func noteNamed(_ images: EntryImages) {
    for address in images.hidden where remembered.contains(address.identity) {
      named.insert(address.identity)
    }
  }

  private mutating func findStandIns() {
    var hidden: [String: String] = [:]
    for shadow in held.lazy.flatMap(\.images.shadows) {
      if hidden[shadow.standIn] == nil {
        hidden[shadow.standIn] = shadow.hidden
      } else if hidden[shadow.standIn] != shadow.hidden {
        repeated.standIns.insert(shadow.standIn)
      }
    }
  }
}

/// How many entries of a document name each address.
///
/// In a long document, only a sample of the entries is counted, and each stands for several.
private struct RepeatCounts {
  private struct Count {
    var entries = 0
    /// The last counted entry that named it.
    var last = -1
    var isOriginal = false
  }

  /// From this number of entries on, a repeated picture does not count; two posts may share one.
  private static let leastEntries = 3
  /// A picture in less than this share of the entries is theirs.
  private static let share = 3

  private var counts: [String: Count] = [:]
  /// The number of entries for which those that were counted stand.
  private var total = 0
  private var seen = 0
  /// The number of entries for which the next counted one stands.
  private var stride = 1
  private var countedAtStride = 0
  /// The last entry that had more addresses than there was room for.
  private var lastFull = -1

  /// Whether the next entry is counted; then `add` and `endEntry` have to be called.
  mutating func countsNext() -> Bool {
    seen += 1
    return seen % stride == 0
  }

  /// Counts an address of the entry, once.
  mutating func add(_ identity: String, isOriginal: Bool = false) {
    if counts[identity] == nil, counts.count >= FormatLimits.countedAddresses {
      // Making room reads all counts, so an entry with thousands of addresses gets it once.
      if lastFull == seen { return }
      lastFull = seen
      counts = counts.filter { $0.value.entries * Self.share >= total }
      if counts.count >= FormatLimits.countedAddresses { return }
    }
    var count = counts[identity] ?? Count()
    if count.last != seen { count.entries += stride }
    count.last = seen
    count.isOriginal = count.isOriginal || isOriginal
    counts[identity] = count
  }

  mutating func endEntry() {
    total += stride
    countedAtStride += 1
    if countedAtStride == FormatLimits.entriesCountedAtStride {
      (stride, countedAtStride) = (2 * stride, 0)
    }
  }

  /// The addresses in at least three entries and a third of all.
  var repeated: Set<String> {
    guard total >= Self.leastEntries else { return [] }
    let least = max(Self.leastEntries, (total + Self.share - 1) / Self.share)
    return Set(counts.lazy.filter { $0.value.entries >= least }.map(\.key))
  }

  /// Whether the entries have no original outside a set.
  func areAllOriginals(in identities: Set<String>) -> Bool {
    counts.allSatisfy { !$0.value.isOriginal || identities.contains($0.key) }
  }

  /// The most frequent of some addresses, as many as are remembered.
  func mostFrequent(of identities: Set<String>) -> [String] {
    let short = identities.filter { $0.utf8.count <= FormatLimits.rememberedAddress }
    let sorted = short.sorted { one, other in
      let (first, second) = (counts[one]?.entries ?? 0, counts[other]?.entries ?? 0)
      return first == second ? one < other : first > second
    }
    return Array(sorted.prefix(FeedDocument.mostRepeated))
  }
}
