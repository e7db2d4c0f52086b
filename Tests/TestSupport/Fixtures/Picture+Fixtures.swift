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

  /// The one that was stored before the feed named another.
  package static let staleMoon = StoredOriginal(
    path: "/library/originals/00/00ff.jpg",
    sha256: "00ff",
    info: .largeMoon,
    isStale: true
  )
}

extension FetchedOriginal {
  package static let moon = FetchedOriginal(
    original: .moon,
    wasDownloaded: true,
    wireBytes: 4_404_019
  )
}
