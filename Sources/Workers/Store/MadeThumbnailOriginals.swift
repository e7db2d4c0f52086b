/// The originals that thumbnails are to be made from.
package enum MadeThumbnailOriginals: Sendable, Equatable {
  case all
  /// Those on this disk that are right: making takes no network.
  case stored
  /// Those that are to be fetched first.
  case notStored
}
