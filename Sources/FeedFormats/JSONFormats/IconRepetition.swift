import Models

/// Finds out whether a JSON Feed repeats an icon as the `image` of every item.
///
/// An icon that the feed declares is known at once. One that it does not declare shows only by the
/// repetition, so as long as every item names the same picture the items are held back: until
/// another picture comes, which clears them all, or until there are so many that it must be an
/// icon. That is decided by the items alone, never by how they arrived.
struct IconRepetition {
  private struct Held {
    let images: [FeedImage]
    /// What the item has when the picture is an icon.
    let withoutIcon: [FeedImage]
    /// Whether the item names the picture at all.
    var isRepetition = true
  }

  private enum State {
    case watching
    case isIcon
    case isNone
  }

  /// Fewer than this can be two posts about one picture.
  private static let leastRepetitions = 3

  private var state = State.watching
  private var picture: String?
  private var held: [Held] = []

  /// Takes an item's images, which a field of it names, and answers with those that are decided.
  mutating func take(
    _ images: [FeedImage],
    field: String,
    withoutIcon: (String) -> [FeedImage]
  ) -> [FeedImage] {
    if state == .isNone { return images }
    if let picture, picture != field { return state == .isIcon ? images : release() + images }
    if state == .isIcon { return withoutIcon(field) }
    picture = field
    held.append(Held(images: images, withoutIcon: withoutIcon(field)))
    return held.count < FormatLimits.heldBackEntries ? [] : decided()
  }

  /// Takes the images of an item that has others, and answers with those that are decided.
  ///
  /// While items before it are held back it waits with them, for the order's sake.
  mutating func pass(_ images: [FeedImage]) -> [FeedImage] {
    if held.isEmpty || images.isEmpty { return images }
    held.append(Held(images: images, withoutIcon: images, isRepetition: false))
    let count = held.reduce(0) { $0 + $1.images.count }
    let isFull =
      held.count >= FormatLimits.heldBackEntries || count > FormatLimits.heldBackImages
    return isFull ? decided() : []
  }

  /// Answers with what is still held back at the end of the feed.
  mutating func finish() -> [FeedImage] { decided() }

  /// Decides by what is held back.
  private mutating func decided() -> [FeedImage] {
    guard held.count(where: \.isRepetition) >= Self.leastRepetitions else { return release() }
    state = .isIcon
    return emptied().flatMap(\.withoutIcon)
  }

  /// There is no icon, for another picture has come or the same one too rarely.
  private mutating func release() -> [FeedImage] {
    state = .isNone
    return emptied().flatMap(\.images)
  }

  private mutating func emptied() -> [Held] {
    defer { held = [] }
    return held
  }
}
