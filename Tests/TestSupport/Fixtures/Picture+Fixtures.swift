package import Models
package import Workers

extension PictureInfo {
  package static let smallMoon = PictureInfo(format: .jpeg, bytes: 1_234, width: 320, height: 213)
  package static let largeMoon = PictureInfo(
    format: .jpeg,
    bytes: 4_404_019,
    width: 6_000,
    height: 4_000
  )
}

extension StoredOriginal {
  /// The original of `WebImage.moon`.
  package static let moon = StoredOriginal(
    path: "/library/originals/a1/a1b2.jpg",
    sha256: "a1b2",
    info: .largeMoon,
    isStale: false
  )

  /// The same original, whose file has changed since it was stored.
  package static let damagedMoon = StoredOriginal(
    path: moon.path,
    sha256: moon.sha256,
    info: .largeMoon,
    isStale: false,
    isDamaged: true
  )

  /// The original that was stored before the feed named another one.
  package static let staleMoon = StoredOriginal(
    path: "/library/originals/00/00ff.jpg",
    sha256: "00ff",
    info: .largeMoon,
    isStale: true
  )
}

extension FetchedOriginal {
  /// The original was stored, so no request was necessary.
  package static let storedMoon = FetchedOriginal(
    original: .moon,
    wasDownloaded: false,
    wireBytes: 0
  )

  /// The server was asked, and has the same version.
  package static let unchangedMoon = FetchedOriginal(
    original: .moon,
    wasDownloaded: false,
    isUnchanged: true,
    wireBytes: 300
  )

  /// A part was stored before.
  package static let resumedMoon = FetchedOriginal(
    original: .moon,
    wasDownloaded: true,
    resumedFrom: 1 << 20,
    wireBytes: 3_355_443
  )

  package static let moon = FetchedOriginal(
    original: .moon,
    wasDownloaded: true,
    wireBytes: 4_404_019
  )
}

extension DecodedPixels {
  /// A picture of one colour, scaled from a picture of another size.
  package static func plain(
    width: Int = 3,
    height: Int = 2,
    _ colour: [UInt8] = [200, 100, 50, 255],
    of source: (width: Int, height: Int) = (6_000, 4_000),
    format: ImageFormat = .jpeg,
    orientation: Int = 1
  ) -> DecodedPixels {
    DecodedPixels(
      width: width,
      height: height,
      rgba: (0..<(width * height)).flatMap { _ in colour },
      source: PictureFacts(
        format: format,
        width: source.width,
        height: source.height,
        orientation: orientation,
        isAnimated: false,
        hasAlpha: false
      )
    )
  }
}
