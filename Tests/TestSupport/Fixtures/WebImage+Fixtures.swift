package import Models
package import Workers

extension WebImage {
  /// An image with every field set, a stored thumbnail, and no stored original.
  package static let moon = WebImage(
    id: 7,
    feed: .astronomy,
    title: "The moon over the bay",
    caption: "Seen from the pier.",
    author: "Ann Lee",
    licence: "CC BY 4.0",
    published: .novemberMorning,
    firstSeen: .novemberNoon,
    pageAddress: .at("https://stars.example/moon"),
    thumbnailAddress: .at("https://stars.example/moon-small.jpg"),
    originalAddress: .at("https://stars.example/moon.jpg"),
    width: 6_000,
    height: 4_000,
    thumbnail: .smallMoon
  )

  /// An image with only its addresses, and without stored pictures.
  package static let unnamed = WebImage(
    id: 8,
    feed: .secret,
    firstSeen: .novemberMorning,
    originalAddress: .at("https://team.example/8.png")
  )

  /// This many images, with ids from 1.
  package static func many(_ count: Int) -> [WebImage] {
    (1...count).map { number in
      var image = WebImage.moon
      image.id = Int64(number)
      return image
    }
  }

  /// The same image with another state of its original.
  package func with(_ original: OriginalState) -> WebImage {
    var image = self
    image.original = original
    return image
  }
}

extension ImageState {
  /// An image that its feed still has, first seen in 1970.
  package static func sample(
    id: Int64,
    feedID: Int64 = 2,
    position: Int64 = 0,
    date: Int64 = 0,
    fields: ImageFields,
    thumbnail: Thumbnail? = nil,
    original: Original? = nil
  ) -> ImageState {
    ImageState(
      id: id,
      number: 1,
      feedID: feedID,
      position: position,
      date: date,
      firstSeen: 0,
      fields: fields,
      entryID: nil,
      isEntryAmbiguous: false,
      isGone: false,
      thumbnail: thumbnail,
      original: original
    )
  }
}
