/// The pictures of an image; the raw value is what the store keeps.
package enum PictureKind: Int64, Sendable, Equatable {
  /// The thumbnail that its feed names.
  case thumbnail = 0
  case original = 1
  /// The thumbnail of an image whose feed names none: it is made from the original.
  case madeThumbnail = 2
}
