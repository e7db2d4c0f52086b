/// The two pictures of an image; the raw value is what the store keeps.
package enum PictureKind: Int64, Sendable, Equatable {
  case thumbnail = 0
  case original = 1
}
