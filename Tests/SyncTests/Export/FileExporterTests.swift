import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The policy for exporting files, in a folder as strict as exFAT that ignores case in names.
struct FileExporterTests {
  private let folder = ExFATFolder()

  private func run(
    _ images: [ImageState],
    version: Int64 = 1,
    template: String = "{feed}/{title}.{ext}",
    sidecars: SidecarFormat? = nil,
    access: FolderAccess = .making
  ) async throws -> (counts: FileExportCounts, left: [LeftFile], planned: [String]) {
    let exporter = FileExporter(
      library: LibraryStub.named(images, number: version),
      folders: folder,
      sidecars: NumberedSidecars()
    )
    let plan = FileExportPlan(
      folder: "/out",
      template: try NameTemplate(template),
      sidecars: sidecars,
      access: access
    )
    var (left, planned): ([LeftFile], [String]) = ([], [])
    var counts: FileExportCounts?
    for await fact in exporter.export(plan).facts {
      switch fact {
      case .left(let file): left.append(file)
      case .planned(_, let path): planned.append(path)
      case .ended(let found, let isInterrupted):
        #expect(!isInterrupted)
        counts = found
      case .failed(let error): throw error
      }
    }
    return (try #require(counts), left, planned)
  }

  private static let hostile = [
    "../../x", "CON", String(repeating: "👩‍🚀", count: 400), "dots...", "dots.", "dots", "Sky", "sKY",
    "Zo\u{EB}", "Zoe\u{308}", "two\nlines", "two lines", "-rf", "", "/", "..", "\u{202E}gpj",
    "nul.txt",
    "x" + String(repeating: "\u{301}", count: 4_000), "STRASSE", "straße", "a\u{0}b", "*", "?", ":",
  ]

  @Test func `hostile titles and feeds get safe, distinct names, which stay`() async throws {
    let images = Self.hostile.enumerated().map { index, title in
      ImageState.named(Int64(index + 1), title)
    }
    let first = try await run(images)
    #expect(first.counts.linked == images.count)
    #expect(first.left == [])
    let files = folder.files
    #expect(files.count == images.count)
    #expect(folder.refused == [])
    #expect(Set(files.map { $0.lowercased() }).count == images.count)

    var changed = images
    for index in changed.indices { (changed[index].fields.title, changed[index].number) = ("T", 2) }
    let more = changed + [.named(90, "sky"), .named(91, "SKY"), .named(92, "T")]
    let second = try await run(more, version: 2)
    #expect(second.counts.linked == 3)
    #expect(Set(folder.files).isSuperset(of: files))
    #expect(
      folder.files.subtracting(files) == [
        "Feed/sky [90].jpg", "Feed/SKY [91].jpg", "Feed/T.jpg",
      ]
    )
  }

  @Test func `a second run has nothing to do, and a third one only what changed`() async throws {
    let (moon, sun) = (ImageState.named(1, "Moon"), ImageState.named(2, "Sun"))
    _ = try await run([moon, sun])
    let second = try await run([moon, sun])
    #expect(second.counts.isUnchanged && second.counts.images == 2 && second.counts.written == 0)

    var other = sun
    other.number = 5
    other.original = ImageState.named(7, "").original
    let third = try await run([moon, other, .named(3, "Star")], version: 2)
    #expect(third.counts.linked == 2)
    #expect(folder.content("Feed/Sun.jpg") == 7)
    #expect(folder.files == ["Feed/Moon.jpg", "Feed/Star.jpg", "Feed/Sun.jpg"])
  }

  @Test func `files that a person moved or changed are left alone and named`() async throws {
    let images = [ImageState.named(1, "Moon"), .named(2, "Sun"), .named(3, "Star")]
    _ = try await run(images)
    folder.delete("Feed/Moon.jpg")
    folder.edit("Feed/Sun.jpg")
    var newer = images
    for index in newer.indices {
      newer[index].number = 9
      newer[index].original = ImageState.named(8, "").original
    }
    let moved = LeftFile(imageID: 1, path: "Feed/Moon.jpg", reason: .moved)
    let edited = LeftFile(imageID: 2, path: "Feed/Sun.jpg", reason: .edited)

    for version in [1, 2, 2] as [Int64] {
      let after = try await run(newer, version: version)
      #expect(after.left == [moved, edited])
      #expect(after.counts.left == 2)
    }
    #expect(folder.files == ["Feed/Star.jpg", "Feed/Sun.jpg"])
    #expect(folder.content("Feed/Sun.jpg") == ExFATFolder.edited)
    #expect(folder.content("Feed/Star.jpg") == 8)
  }

  @Test func `a file of another program keeps its name`() async throws {
    folder.put("feed/moon.JPG")
    let after = try await run([.named(1, "Moon")])

    #expect(after.left == [LeftFile(imageID: 1, path: "Feed/Moon.jpg", reason: .foreign)])
    #expect(folder.files == ["feed/moon.JPG", "Feed/Moon [1].jpg"])
    #expect(try await run([.named(1, "Moon")], version: 2).left == [])
  }

  @Test func `an image that is removed keeps its file, and its name`() async throws {
    _ = try await run([.named(1, "Moon"), .named(2, "Sun")])
    _ = try await run([.named(2, "Sun"), .named(3, "Moon")], version: 2)
    let back = try await run([.named(1, "Moon"), .named(2, "Sun"), .named(3, "Moon")], version: 3)

    #expect(back.counts.written == 0)
    #expect(folder.files == ["Feed/Moon.jpg", "Feed/Moon [3].jpg", "Feed/Sun.jpg"])
  }

  @Test func `an original that is damaged is left out, and comes when it is whole`() async throws {
    folder.damaged = [2]
    let first = try await run([.named(1, "Moon"), .named(2, "Sun")])
    #expect(first.counts.omitted == 1)
    #expect(first.left == [LeftFile(imageID: 2, path: "Feed/Sun.jpg", reason: .damaged)])
    folder.damaged = []
    let second = try await run([.named(1, "Moon"), .named(2, "Sun")])
    #expect(second.counts.linked == 1 && !second.counts.isUnchanged)
  }

  @Test func `sidecars follow their images, unless a person changed them`() async throws {
    var images = [ImageState.named(1, "Moon"), .named(2, "Sun")]
    _ = try await run(images)
    let first = try await run(images, sidecars: .xmp)
    #expect(first.counts.sidecars == 2 && first.counts.written == 0)
    #expect(folder.files.contains("Feed/Moon.jpg.xmp"))
    folder.edit("Feed/Moon.jpg.xmp")
    for index in images.indices { images[index].number = 4 }
    let second = try await run(images, version: 2, sidecars: .xmp)

    #expect(second.counts.sidecars == 1)
    #expect(second.left == [LeftFile(imageID: 1, path: "Feed/Moon.jpg.xmp", reason: .edited)])
    #expect(folder.content("Feed/Moon.jpg.xmp") == ExFATFolder.edited)
    #expect(folder.content("Feed/Sun.jpg.xmp") == 4)
  }

  @Test func `a dry run names the files, and leaves all as it is`() async throws {
    let after = try await run([.named(1, "Moon"), .named(2, "moon")], access: .looking)

    #expect(after.planned == ["Feed/Moon.jpg", "Feed/moon [2].jpg"])
    #expect(folder.files == [])
    #expect(folder.note == nil)
  }
}
