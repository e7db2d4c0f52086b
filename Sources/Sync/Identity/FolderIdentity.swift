import Models
import Workers

/// Decides which stored image each file of a folder is, by the ids of their entries.
///
/// A file that has not changed keeps its entry. Of the others, the content decides, and then the path: a file with the
/// content of one that is missing or has changed is that one under another name, and a file with new content is the one
/// that had its path. Two files with the same content are two images. Of several known files with the content, one that
/// is missing was renamed, and one that has changed was only edited; one that had the same name in another folder comes
/// first, since whole folders are moved.
struct FolderIdentity {
  /// The files that have not changed, by their addresses.
  private(set) var unchanged: [WebAddress: FolderOriginal] = [:]
  /// The files that are to be read, in the order of the folder.
  private(set) var fresh: [FolderFile] = []
  /// The known files that are missing now.
  private(set) var missing: [FolderOriginal] = []
  /// The known files that have changed, by their addresses.
  private var changed: [WebAddress: FolderOriginal] = [:]
  /// All known files.
  private let all: [FolderOriginal]
  /// The known files whose entries other files may take over, by their hashes: those that have changed and then those
  /// that are missing, each with the first image last.
  private var free: [String: [FolderOriginal]] = [:]
  /// Those that are missing, by their hashes and names.
  private var moved: [String: [FolderOriginal]] = [:]
  /// The ids of all entries so far.
  private var ids: Set<String> = []
  /// The ids that files of the folder have by now.
  private var taken: Set<String> = []
  /// The numbers to try next for the ids of further files with the same content, by their hashes.
  private var numbers: [String: Int] = [:]

  /// Compares the files of a folder with the known ones; with `readsAll`, each file is read again.
  init(_ files: [FolderFile], known: [FolderOriginal], readsAll: Bool = false) {
    all = known
    var byAddress = Dictionary(known.map { ($0.address, $0) }) { $1 }
    ids = Set(known.map(\.entryID))
    for file in files {
      guard let original = byAddress.removeValue(forKey: file.address) else {
        fresh.append(file)
        continue
      }
      if original.version == file.version, !readsAll {
        unchanged[file.address] = original
        taken.insert(original.entryID)
      } else {
        fresh.append(file)
        changed[file.address] = original
      }
    }
    missing = known.filter { original in
      unchanged[original.address]?.imageID != original.imageID
        && changed[original.address]?.imageID != original.imageID
    }
    let others = [Array(changed.values), missing].map { $0.sorted { $0.imageID > $1.imageID } }
    free = Dictionary(grouping: others.joined(), by: \.sha256)
    moved = Dictionary(grouping: others[1]) { Self.key($0.sha256, $0.address) }
  }

  /// Whether all files that are to be read have to be read before the first of them has its id.
  ///
  /// Another file may have the content that a changed file had, and so be its image.
  var needsAll: Bool { !changed.isEmpty }

  /// The known files whose entries no file of the folder has, once all files are read.
  ///
  /// A file that was edited may have the entry of another one by now, which was renamed.
  var lost: [FolderOriginal] { all.filter { !taken.contains($0.entryID) } }

  /// The known file at the path of a file that has changed.
  func known(_ file: FolderFile) -> FolderOriginal? { changed[file.address] }

  /// The ids of the entries of files that were read, by their addresses.
  ///
  /// - Parameter files: The files, each with its hash; nil for a known file that could not be read.
  /// - Returns: The ids; none for an unknown file without a hash.
  mutating func entryIDs(
    of files: [(file: FolderFile, sha256: String?)]
  ) -> [WebAddress: String] {
    var found: [WebAddress: String] = [:]
    for (file, sha256) in files {
      // A file that cannot be read now, and one with a new time alone, keep their entries.
      guard let own = changed[file.address], sha256 == nil || sha256 == own.sha256 else { continue }
      found[file.address] = take(own.entryID)
    }
    for (file, sha256) in files where found[file.address] == nil {
      let key = sha256.map { Self.key($0, file.address) }
      if let key, let id = Self.next(key, in: &moved, except: taken) {
        found[file.address] = take(id)
      }
    }
    for (file, sha256) in files where found[file.address] == nil {
      if let sha256, let id = Self.next(sha256, in: &free, except: taken) {
        found[file.address] = take(id)
      }
    }
    for (file, sha256) in files where found[file.address] == nil {
      guard let sha256 else { continue }
      let own = changed[file.address].map(\.entryID).flatMap { taken.contains($0) ? nil : $0 }
      let id = own ?? newID(sha256)
      found[file.address] = take(id)
    }
    return found
  }

  /// The first id of an entry in one of these lists that no file has taken; nil if there is none.
  private static func next(
    _ key: String,
    in lists: inout [String: [FolderOriginal]],
    except taken: Set<String>
  ) -> String? {
    while let original = lists[key]?.popLast() {
      if !taken.contains(original.entryID) { return original.entryID }
    }
    return nil
  }

  /// The hash of a file with the name that it has in its folder.
  private static func key(_ sha256: String, _ address: WebAddress) -> String {
    "\(sha256)/\(address.path.split(separator: "/").last ?? "")"
  }

  private mutating func take(_ id: String) -> String {
    ids.insert(id)
    taken.insert(id)
    return id
  }

  /// An id that no entry has: the hash, with a number for each further file with the same content.
  private mutating func newID(_ sha256: String) -> String {
    let id = "sha256:" + sha256
    guard ids.contains(id) else { return id }
    var number = numbers[sha256] ?? 2
    while ids.contains("\(id)-\(number)") { number += 1 }
    numbers[sha256] = number + 1
    return "\(id)-\(number)"
  }
}
