/// A part of a library that can be looked at on its own.
package enum CheckedThing: Sendable, Equatable {
  /// The database's file as a whole.
  case database
  case thumbnail(imageID: Int64)
  /// An original's file, and the images whose original it is.
  case original(path: String, imageIDs: [Int64])
  /// A file that no row of the library refers to.
  case file(path: String)
}
