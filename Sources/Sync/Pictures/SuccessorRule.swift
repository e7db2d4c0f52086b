import Models
import Workers

/// Says why a picture that came in the place of a stored one may not be the same picture.
///
/// A picture at the same address, of the same format, shape and about the same size replaces the stored one: a webcam's
/// picture, or a photograph that was edited. Hosts that delete a picture often answer with a sign instead.
struct SuccessorRule {
  /// The parts of an area of which the new picture has to have at least one.
  private static let areaParts = 4
  /// The percentage by which the proportions of two renditions of a picture may differ, because sides are rounded.
  private static let shapeTolerance = 5
  /// The words of an address that names a sign.
  private static let signs: Set<String> = [
    "removed", "deleted", "404", "403", "410", "451", "placeholder", "notfound", "unavailable",
    "expired", "noimage", "nophoto", "nopicture", "nothumb", "nothumbnail", "blocked", "hotlink",
    "hotlinking", "dmca", "takedown", "login", "signin", "error",
  ]
  /// Pairs of words of such an address.
  private static let pairs: Set<[String]> = [
    ["not", "found"], ["not", "available"], ["no", "image"], ["no", "photo"], ["no", "picture"],
    ["no", "thumb"], ["no", "thumbnail"], ["no", "longer"], ["log", "in"], ["sign", "in"],
  ]

  let held: HeldPicture
  /// The address that was requested.
  let requested: WebAddress
  /// The address of the answer, after redirects.
  let answered: WebAddress
  let info: PictureInfo

  /// The reasons; empty when the picture replaces the stored one.
  var doubts: [SuccessorDoubt] {
    SuccessorDoubt.allCases.filter { doubt in
      switch doubt {
      case .sign: isSign
      case .redirected: isOfSameAddress && isRedirected && !held.isRedirected
      case .shared: isShared
      case .smaller: isSmaller
      case .otherFormat: isOfSameAddress && info.format != held.info.format
      case .otherShape: isOfSameAddress && hasOtherShape
      case .pinned: held.isPinned
      case .unlisted: !held.isListed
      }
    }
  }

  /// The images whose pictures the same bytes have replaced: they were signs there, too.
  ///
  /// The first image that gets a sign cannot know this, if the sign has the size, format and shape of its picture.
  var misled: [Int64] {
    held.replaced.filter { !$0.value.isOfSamePicture(as: requested) }.map(\.key).sorted()
  }

  /// Whether the answer came by a redirect.
  var isRedirected: Bool { !answered.isAtPlace(of: requested) }

  /// Whether the feed names the same address as before, apart from its signature and from the number of its host.
  ///
  /// A feed that names another one also says that the picture may differ.
  private var isOfSameAddress: Bool {
    requested.isAtPlace(of: held.address) || requested.namesSameFile(as: held.address)
      || held.isNamed && requested.sharesName(with: held.address)
  }

  /// Whether the address names a sign, and the former address did not.
  private var isSign: Bool {
    let words = Self.signs(in: answered).union(isOfSameAddress ? [] : Self.signs(in: requested))
    return !words.subtracting(Self.signs(in: held.address)).isEmpty
  }

  /// The words for signs in an address's path.
  private static func signs(in address: WebAddress) -> Set<String> {
    let words = address.path.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let pairs = zip(words, words.dropFirst()).map { [$0, $1] }.filter(Self.pairs.contains)
    return signs.intersection(words).union(pairs.map { $0.joined(separator: " ") })
  }

  private var isShared: Bool { held.others.contains { !$0.isOfSamePicture(as: requested) } }

  private var isSmaller: Bool {
    guard let (old, new) = sizes else { return false }
    return new.width * new.height * Double(Self.areaParts) < old.width * old.height
  }

  private var hasOtherShape: Bool {
    guard let (old, new) = sizes else { return false }
    let ratio = old.width * new.height / (old.height * new.width)
    return max(ratio, 1 / ratio) > 1 + Double(Self.shapeTolerance) / 100
  }

  /// Nil unless both sizes are known.
  private var sizes: (old: (width: Double, height: Double), new: (width: Double, height: Double))? {
    guard let old = held.info.size, let new = info.size else { return nil }
    return (old, new)
  }
}

extension PictureInfo {
  fileprivate var size: (width: Double, height: Double)? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return (Double(width), Double(height))
  }
}

extension WebAddress {
  /// Whether the host and the path are the same; the scheme, `www.` and the query may differ.
  func isAtPlace(of other: WebAddress) -> Bool {
    place == other.place
  }

  /// Whether both are addresses of one picture, however they are signed, and whichever of several hosts they name.
  func isOfSamePicture(as other: WebAddress) -> Bool {
    isAtPlace(of: other) && query == other.query || namesSameFile(as: other)
  }

  private var place: String {
    let host = hostKey
    return (host.hasPrefix("www.") ? String(host.dropFirst(4)) : host) + path
  }
}

// MARK: - Thumbnails

extension SyncTools {
  /// Compares a thumbnail that has arrived with the stored one that it would replace.
  ///
  /// - Parameters:
  ///   - thumbnail: The thumbnail.
  ///   - kind: Whether the feed names it, or it was made.
  ///   - header: The header of the answer.
  ///   - wanted: The request.
  /// - Returns: The result, in which a thumbnail that may not be the same picture has its `doubts`. It is unchanged if
  ///   it is kept beside the stored one already.
  /// - Throws: when the library cannot be read.
  func judged(
    _ thumbnail: FetchedThumbnail,
    _ kind: PictureKind,
    _ header: NetworkHeader,
    _ wanted: WantedPicture
  ) async throws(Failure) -> PictureOutcome.Result {
    var thumbnail = thumbnail
    let isElsewhere = header.address != wanted.address
    thumbnail.isRedirected = isElsewhere && !header.address.isAtPlace(of: wanted.address)
    let isChange = wanted.held != nil
    guard isChange || wanted.hasThumbnail else { return .new(thumbnail) }
    let hash = try hash(of: thumbnail.bytes)
    let (store, id) = (store, wanted.imageID)
    guard
      let held = try await Failure.ofStore(await store.held(kind, imageID: id, against: hash))
    else { return isChange ? .changed(thumbnail) : .new(thumbnail) }
    thumbnail.replacesOther = true
    if held.successor == hash {
      let validators = thumbnail.validators
      return .unchanged(wanted.unchanged(header, validators, now()))
    }
    let rule = SuccessorRule(
      held: held,
      requested: wanted.address,
      answered: header.address,
      info: thumbnail.info
    )
    (thumbnail.doubts, thumbnail.misled) = (rule.doubts, rule.misled)
    // A stored one that cannot be read does not keep the new one out.
    if thumbnail.doubts.isEmpty { thumbnail.former = try? await store.thumbnailBytes(imageID: id) }
    return isChange ? .changed(thumbnail) : .new(thumbnail)
  }
}
