import CLinux
import Glibc
import Models
import Workers

/// The note on an original's file, as an attribute of it (xattr(7)), of which image it is.
///
/// It is on the disk with the file's content, and so outlives a row that a power cut or a restored
/// database has taken. Of the address it has a hash only, since addresses can hold secrets and files are
/// copied with their attributes. A file system without attributes has no such notes.
struct OriginOfFile: Equatable {
  private static let name = "user.gallery.origin"
  private static let longest = 128

  let imageID: Int64
  private let addressHash: String

  init(imageID: Int64, address: WebAddress) throws(StoreError) {
    self.imageID = imageID
    addressHash = try Self.hash(address)
  }

  /// Nil for a file that has no such note.
  init?(ofFileAt path: String) {
    var text = [UInt8](repeating: 0, count: Self.longest)
    let count = clinux_attribute(path, Self.name, &text, text.count)
    guard count > 0 else { return nil }
    let words = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
    guard words.count == 2, let imageID = Int64(words[0]) else { return nil }
    self.imageID = imageID
    addressHash = String(words[1])
  }

  /// Whether it came from an address, in whatever spelling.
  func isOf(_ address: WebAddress) throws(StoreError) -> Bool {
    try addressHash == Self.hash(address)
  }

  /// Notes it on an open file; it lasts once the file is synced.
  func write(to file: Int32) {
    let text = Array("\(imageID) \(addressHash)".utf8)
    _ = clinux_set_attribute(file, Self.name, text, text.count)
  }

  private static func hash(_ address: WebAddress) throws(StoreError) -> String {
    try SHA256.digits(of: Array(address.identity.utf8), path: name)
  }
}
