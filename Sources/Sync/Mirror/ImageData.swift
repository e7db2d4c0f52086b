import FoundationEssentials
import Models
import Workers

/// The state of an image in a line of changes.
struct ImageData: Decodable {
  struct Pack: Decodable {
    var sha256: String
    var offset: Int

    var reference: ImageState.PackReference? {
      guard offset >= 0, let hash = SHA256Digest(hexadecimal: sha256) else { return nil }
      return ImageState.PackReference(hash: hash, offset: offset)
    }
  }

  /// A stored thumbnail or original.
  struct Picture: Decodable {
    var sha256: String
    var type: String
    var bytes: Int
    var width: Int?
    var height: Int?
    var made: Bool?
    var stale: Bool?
    var pack: Pack?

    var info: PictureInfo? {
      guard let format = ImageFormat(mediaType: type), bytes >= 0,
        let hash = SHA256Digest(hexadecimal: sha256)
      else { return nil }
      return PictureInfo(
        format: format,
        bytes: bytes.bounded,
        width: width?.side,
        height: height?.side,
        hash: hash
      )
    }
  }

  var feed: Int64
  var position: Int64
  var date: Date
  var firstSeen: Date
  var published: Date?
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?
  var pageURL: String?
  var thumbnailURL: String?
  /// Nil for a file of the gallery's machine.
  var originalURL: String?
  var renditionURLs: [String]?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var entry: String?
  var entryAmbiguous: Bool?
  var gone: Bool?
  var thumbnail: Picture?
  var original: Picture?

  /// The state at a place of the log; nil if it makes no sense.
  ///
  /// Addresses of the gallery itself stand in for those of files, which it does not tell.
  func state(at change: ChangePosition, of gallery: GalleryAddress?) -> ImageState? {
    let original = originalURL.map { WebAddress($0) } ?? gallery?.original(ofImage: change.id)
    guard let original, let fields = fields(original, untoldThumbnail(of: gallery)) else {
      return nil
    }
    return ImageState(
      id: change.id,
      number: change.number,
      feedID: feed,
      position: position,
      date: date.storedSeconds,
      firstSeen: firstSeen.storedSeconds,
      fields: fields,
      entryID: entry,
      isEntryAmbiguous: entryAmbiguous ?? false,
      isGone: gone ?? false,
      thumbnail: thumbnail.flatMap { picture in
        picture.info.map { info in
          ImageState.Thumbnail(
            info: info,
            isMade: picture.made ?? false,
            isStale: picture.stale ?? false,
            pack: picture.pack?.reference
          )
        }
      },
      original: self.original.flatMap { picture in
        picture.info.map { ImageState.Original(info: $0, isStale: picture.stale ?? false) }
      }
    )
  }

  /// The address of the gallery's thumbnail, which stands in for that of a file; nil for one made from the original.
  private func untoldThumbnail(of gallery: GalleryAddress?) -> WebAddress? {
    guard let thumbnail, thumbnail.made != true, let hash = thumbnail.info?.hash else { return nil }
    return gallery?.thumbnail(hash)?.withoutLogin
  }

  private func fields(_ address: WebAddress, _ untoldThumbnail: WebAddress?) -> ImageFields? {
    let texts = [title, caption, author, licence, pageURL, thumbnailURL, address.text, entry]
    // The pages of this library link to both addresses, so neither may be a script.
    guard address.isWeb || address.isFile,
      texts.allSatisfy({ ($0?.utf8.count ?? 0) <= SyncLimits.galleryTextBytes })
    else { return nil }
    var fields = ImageFields(
      title: title.map(ImageFields.storable),
      caption: caption.map(ImageFields.storable),
      author: author.map(ImageFields.storable),
      licence: licence.map(ImageFields.storable),
      published: published?.storedSeconds,
      pageAddress: pageURL.flatMap(WebAddress.init).flatMap { $0.isWeb ? $0.text : nil },
      thumbnailAddress: (thumbnailURL.map { WebAddress($0) } ?? untoldThumbnail)?.text,
      originalAddress: ImageFields.storable(address.text),
      width: width?.side,
      height: height?.side
    )
    fields.bytes = bytes.map { max($0, 0).bounded }
    fields.renditions = (renditionURLs ?? []).prefix(SyncLimits.renditions).compactMap { text in
      guard text.utf8.count <= SyncLimits.galleryTextBytes, let address = WebAddress(text),
        address.isWeb || address.isFile
      else { return nil }
      return ImageFields.storable(address.text)
    }
    return fields
  }
}

extension Int {
  /// The number as a width or height in pixels; nil when no picture has it.
  fileprivate var side: Int? { (1...Int(Int32.max)).contains(self) ? self : nil }
}
