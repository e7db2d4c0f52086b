/// Which stored picture is copied.
package enum ExportedPicture: Sendable, Equatable {
  case thumbnail([UInt8])
  case original(StoredOriginal)
}
