import Foundation
import Models
import Testing
import Workers

@testable import Sync

/// Which stored image a file of a folder is.
struct FolderIdentityTests {
  /// A known file whose entry has the id of its content, unless `id` is another one.
  private func known(
    _ name: String,
    _ content: String,
    image: Int64,
    id: String? = nil
  ) -> FolderOriginal {
    FolderOriginal(
      imageID: image,
      entryID: id ?? "sha256:\(content)",
      address: address(name),
      version: "\(name) \(content)",
      sha256: content,
      info: PictureInfo(format: .jpeg, bytes: 1, width: nil, height: nil)
    )
  }

  private func address(_ name: String) -> WebAddress {
    WebAddress(filePath: "/photos/\(name)", relativeTo: "/")
  }

  private func file(_ name: String, _ content: String) -> FolderFile {
    FolderFile(
      address: address(name),
      path: name,
      version: "\(name) \(content)",
      bytes: 1,
      modified: Date(timeIntervalSince1970: 0)
    )
  }

  /// The ids of the entries of files, by their names; those of unchanged files, too.
  private func ids(
    _ files: KeyValuePairs<String, String>,
    known: [FolderOriginal]
  ) -> [String: String] {
    let listed = files.map { file($0.key, $0.value) }
    let contents = Dictionary(uniqueKeysWithValues: files.map { (address($0.key), $0.value) })
    var identity = FolderIdentity(listed, known: known)
    let read = identity.fresh.map { file in (file, contents[file.address]) }
    let found = identity.entryIDs(of: read)
    return Dictionary(
      uniqueKeysWithValues: listed.map { file in
        (file.path, found[file.address] ?? identity.unchanged[file.address]?.entryID ?? "none")
      }
    )
  }

  @Test func `a new file has the id of its content`() {
    #expect(
      ids(["a.jpg": "1", "b.jpg": "2"], known: []) == ["a.jpg": "sha256:1", "b.jpg": "sha256:2"]
    )
  }

  @Test func `a file that has not changed is not read`() {
    let identity = FolderIdentity([file("a.jpg", "1")], known: [known("a.jpg", "1", image: 1)])

    #expect(identity.fresh == [])
    #expect(identity.missing == [])
    #expect(identity.unchanged[address("a.jpg")]?.imageID == 1)
  }

  @Test func `each file is read again when the sync asks for that`() {
    let known = [known("a.jpg", "1", image: 1)]
    let identity = FolderIdentity([file("a.jpg", "1")], known: known, readsAll: true)

    #expect(identity.fresh.map(\.path) == ["a.jpg"])
    #expect(identity.needsAll)
    #expect(identity.missing == [])
  }

  @Test func `a file with another name keeps its entry`() {
    #expect(ids(["b.jpg": "1"], known: [known("a.jpg", "1", image: 1)]) == ["b.jpg": "sha256:1"])
    #expect(ids(["b.jpg": "1"], known: [known("a.jpg", "1", image: 1, id: "x")]) == ["b.jpg": "x"])
  }

  @Test func `a file with new content keeps the entry of its path`() {
    #expect(ids(["a.jpg": "2"], known: [known("a.jpg", "1", image: 1)]) == ["a.jpg": "sha256:1"])
  }

  @Test func `the content comes before the path`() {
    // The old picture got another name, and the new one has the name that it had.
    let known = [known("a.jpg", "1", image: 1)]
    let expected = ["a.jpg": "sha256:2", "old.jpg": "sha256:1"]

    #expect(ids(["a.jpg": "2", "old.jpg": "1"], known: known) == expected)
    #expect(ids(["old.jpg": "1", "a.jpg": "2"], known: known) == expected)
  }

  @Test func `two files that change names keep their entries`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "2", image: 2)]

    #expect(
      ids(["a.jpg": "2", "b.jpg": "1"], known: known) == ["a.jpg": "sha256:2", "b.jpg": "sha256:1"]
    )
  }

  @Test func `two files with the same content are two images`() {
    #expect(
      ids(["a.jpg": "1", "b.jpg": "1"], known: []) == ["a.jpg": "sha256:1", "b.jpg": "sha256:1-2"]
    )
    #expect(
      ids(["b.jpg": "1", "a.jpg": "1"], known: [known("a.jpg", "1", image: 1)])
        == ["a.jpg": "sha256:1", "b.jpg": "sha256:1-2"]
    )
  }

  @Test func `one of two equal files with another name keeps its own entry`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "1", image: 2, id: "sha256:1-2")]

    #expect(
      ids(["a.jpg": "1", "c.jpg": "1"], known: known) == [
        "a.jpg": "sha256:1", "c.jpg": "sha256:1-2",
      ]
    )
  }

  @Test func `equal files in another folder have the entries of their names`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "1", image: 2, id: "sha256:1-2")]

    #expect(
      ids(["new/c.jpg": "1", "new/b.jpg": "1", "new/a.jpg": "1"], known: known) == [
        "new/a.jpg": "sha256:1", "new/b.jpg": "sha256:1-2", "new/c.jpg": "sha256:1-3",
      ]
    )
  }

  @Test func `equal files with other names have the entries of their content, and then new ones`() {
    let known = [
      known("a.jpg", "1", image: 1), known("b.jpg", "1", image: 2, id: "sha256:1-2"),
      known("c.jpg", "1", image: 3, id: "sha256:1-4"),
    ]

    #expect(
      ids(["v.jpg": "1", "w.jpg": "1", "x.jpg": "1", "y.jpg": "1", "z.jpg": "1"], known: known) == [
        "v.jpg": "sha256:1", "w.jpg": "sha256:1-2", "x.jpg": "sha256:1-4", "y.jpg": "sha256:1-3",
        "z.jpg": "sha256:1-5",
      ]
    )
  }

  @Test func `a copy does not take the entry of an edited file whose content it has`() {
    let known = [known("a.jpg", "2", image: 1, id: "sha256:1")]

    #expect(
      ids(["a.jpg": "2", "b.jpg": "1"], known: known) == [
        "a.jpg": "sha256:1", "b.jpg": "sha256:1-2",
      ]
    )
  }

  @Test func `a changed file that cannot be read keeps its entry, and an unknown one has none`() {
    var identity = FolderIdentity(
      [file("a.jpg", "2"), file("b.jpg", "3")],
      known: [known("a.jpg", "1", image: 1)]
    )

    let ids = identity.entryIDs(of: identity.fresh.map { ($0, nil) })

    #expect(ids == [address("a.jpg"): "sha256:1"])
  }

  @Test func `a file with a new time alone keeps its entry, before others with its content`() {
    let own = known("b.jpg", "1", image: 1)
    var touched = file("b.jpg", "1")
    touched.version = "touched"
    var identity = FolderIdentity([file("a.jpg", "1"), touched], known: [own])

    let ids = identity.entryIDs(of: identity.fresh.map { ($0, "1") })

    #expect(ids == [address("b.jpg"): "sha256:1", address("a.jpg"): "sha256:1-2"])
  }

  /// The ids of the images whose files are lost, once these files are read.
  private func lost(_ files: KeyValuePairs<String, String>, known: [FolderOriginal]) -> [Int64] {
    let listed = files.map { file($0.key, $0.value) }
    let contents = Dictionary(uniqueKeysWithValues: files.map { (address($0.key), $0.value) })
    var identity = FolderIdentity(listed, known: known)
    _ = identity.entryIDs(of: identity.fresh.map { ($0, contents[$0.address]) })
    return identity.lost.map(\.imageID)
  }

  @Test func `an edited file keeps its entry when a copy of its old content is deleted`() {
    let known = [known("a.jpg", "1", image: 1), known("c.jpg", "1", image: 2, id: "sha256:1-2")]

    #expect(ids(["a.jpg": "2"], known: known) == ["a.jpg": "sha256:1"])
    #expect(lost(["a.jpg": "2"], known: known) == [2])
  }

  @Test(arguments: [false, true])
  func `an edited file keeps its entry when a copy of its old content gets another name`(
    isFirst: Bool
  ) {
    // The copy that is missing was renamed, whichever of them is the older image.
    let (edited, copy): (Int64, Int64) = isFirst ? (1, 2) : (2, 1)
    let known = [
      known("a.jpg", "1", image: edited, id: "edited"),
      known("c.jpg", "1", image: copy, id: "copy"),
    ]

    #expect(
      ids(["a.jpg": "2", "d.jpg": "1"], known: known) == ["a.jpg": "edited", "d.jpg": "copy"]
    )
    #expect(lost(["a.jpg": "2", "d.jpg": "1"], known: known) == [])
  }

  @Test func `a file that replaces another one is itself, and the replaced one is lost`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "2", image: 2)]

    #expect(ids(["a.jpg": "2"], known: known) == ["a.jpg": "sha256:2"])
    #expect(lost(["a.jpg": "2"], known: known) == [1])
  }

  @Test func `a copy over another file is an edit of that file`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "2", image: 2)]

    #expect(
      ids(["a.jpg": "2", "b.jpg": "2"], known: known) == ["a.jpg": "sha256:1", "b.jpg": "sha256:2"]
    )
    #expect(lost(["a.jpg": "2", "b.jpg": "2"], known: known) == [])
  }

  @Test func `a file that replaces another one and is written anew is itself and a new one`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "2", image: 2)]

    #expect(
      ids(["a.jpg": "2", "b.jpg": "3"], known: known) == ["a.jpg": "sha256:2", "b.jpg": "sha256:3"]
    )
    #expect(lost(["a.jpg": "2", "b.jpg": "3"], known: known) == [1])
  }

  @Test func `of two known files at one path, the one that no file is any more is lost`() {
    // A sync that was interrupted has left both.
    let known = [known("a.jpg", "1", image: 1), known("a.jpg", "2", image: 2)]

    for known in [known, known.reversed()] {
      #expect(ids(["a.jpg": "2"], known: known) == ["a.jpg": "sha256:2"])
      #expect(lost(["a.jpg": "2"], known: known) == [1])
    }
  }

  @Test func `a file that cannot be read is not lost`() {
    var identity = FolderIdentity([file("a.jpg", "2")], known: [known("a.jpg", "1", image: 1)])
    _ = identity.entryIDs(of: identity.fresh.map { ($0, nil) })

    #expect(identity.lost == [])
  }

  @Test func `a file that is not there is missing`() {
    let known = [known("a.jpg", "1", image: 1), known("b.jpg", "2", image: 2)]

    #expect(FolderIdentity([file("b.jpg", "2")], known: known).missing.map(\.imageID) == [1])
  }
}
