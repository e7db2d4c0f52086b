import Models
import Workers

/// The addresses that the entries of a document repeat.
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

/// Finds the pictures that many entries of a document repeat.
///
/// The first entries are held back until their number suffices to judge, or the document ends. The
/// decision depends only on the entries, never on the timing of their arrival.
struct RepeatedPictures {
  private struct Held {
    let images: EntryImages
    let entry: FeedEntry?
  }

  /// From this number of entries on, a repeated picture does not count; two posts may share one.
  private static let leastEntries = 3
  /// A picture in less than this share of the entries is theirs.
  private static let share = 3

  private var held: [Held] = []
  private var imageCount = 0
  private var bytes = 0
  private var isDecided = false
  private var repeated = RepeatedAddresses()

  /// Takes an entry, and returns those that are decided, and whether Media RSS named its images.
  mutating func take(_ images: EntryImages) -> (entries: [FeedEntry], usesMedia: Bool) {
    if isDecided { images.repeated = repeated }
    let found = images.found()
    if isDecided { return ([found.entry].compactMap(\.self), found.usesMedia) }
    held.append(Held(images: images, entry: found.entry))
    imageCount += found.entry?.images.count ?? 0
    bytes += images.markupBytes
    let isFull =
      held.count >= FormatLimits.heldBackEntries || imageCount > FormatLimits.heldBackImages
      || bytes > FormatLimits.heldBackBytes
    return (isFull ? decided() : [], found.usesMedia)
  }

  /// Decides from the held entries alone, and returns them.
  mutating func decided() -> [FeedEntry] {
    if isDecided { return [] }
    isDecided = true
    findStandIns()
    let entries = held.map { held in self.entry(of: held) }
    repeated.pictures = Self.repeated(in: entries)
    defer { held = [] }
    if repeated.pictures.isEmpty { return entries.compactMap(\.self) }
    let all = Set(entries.flatMap { $0?.images ?? [] }.map(\.originalAddress.identity))
    repeated.isAll = all.isSubset(of: repeated.pictures)
    return held.map { held in self.entry(of: held) }.compactMap(\.self)
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

  /// The pictures in at least three entries and a third of all.
  private static func repeated(in entries: [FeedEntry?]) -> Set<String> {
    guard entries.count >= leastEntries else { return [] }
    var counts: [String: Int] = [:]
    for case let entry? in entries {
      var known: Set<String> = []
      for image in entry.images {
        let identities = [image.originalAddress, image.thumbnailAddress].compactMap { $0?.identity }
        for identity in identities where known.insert(identity).inserted {
          counts[identity, default: 0] += 1
        }
      }
    }
    let least = max(leastEntries, (entries.count + share - 1) / share)
    return Set(counts.lazy.filter { $0.value >= least }.map(\.key))
  }
}
