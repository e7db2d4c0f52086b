import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ExportFilesTests {
  private let spy = ExportFilesPresentationSpy()
  private let folders = LibraryManagingSpy()

  private func interactor(
    _ facts: [FileExportFact] = [],
    library: LibraryStub = LibraryStub(feeds: [.astronomy])
  ) -> (ExportFilesInteractor, FileExportingStub) {
    let exporter = FileExportingStub(facts)
    let interactor = ExportFilesInteractor(
      presenter: spy,
      library: library,
      exporter: exporter,
      folders: folders,
      pause: Pauses.never
    )
    return (interactor, exporter)
  }

  private func request(feed: FeedArgument? = nil, isDryRun: Bool = false) throws
    -> ExportFiles.Export.Request
  {
    ExportFiles.Export.Request(
      folder: "/out",
      feed: feed,
      search: "moon",
      template: try NameTemplate(),
      sidecars: .xmp,
      isDryRun: isDryRun,
      stop: StopRequest()
    )
  }

  @Test func `asks for what the request says, and presents what comes of it in order`() async throws
  {
    var counts = FileExportCounts()
    counts.omitted = 1
    let left = LeftFile(imageID: 3, path: "a.jpg", reason: .edited)
    let (interactor, exporter) = interactor([
      .left(left), .planned(imageID: 4, path: "b.jpg"), .ended(counts, isInterrupted: false),
    ])

    await interactor.exportFiles(request: try request(feed: .id(Feed.astronomy.id), isDryRun: true))

    let plan = FileExportPlan(
      folder: "/out",
      query: ImageQuery(feedID: Feed.astronomy.id, search: "moon"),
      template: try NameTemplate(),
      sidecars: .xmp,
      access: .looking
    )
    #expect(exporter.plans == [plan])
    let ended = ExportFiles.Export.Ended.Response(
      folder: "/out",
      counts: counts,
      isInterrupted: false,
      isDryRun: true
    )
    #expect(
      spy.events == [
        .note(.left(.init(folder: "/out", file: left, number: 1))),
        .note(.planned(imageID: 4, path: "b.jpg")), .exported(ended),
      ]
    )
    #expect(ExportFiles.Export.outcome(ended) == .partly)
  }

  @Test(arguments: [
    (0, "'/out' is up to date: 13 images"),
    (1, "'/out' is up to date: 12 images, 1 image left out"),
    (13, "'/out' is up to date: 0 images, 13 images left out"),
  ])
  func `counts the images that the folder has`(omitted: Int, text: String) {
    var counts = FileExportCounts()
    (counts.total, counts.images, counts.omitted) = (13, 13, omitted)
    let ended = ExportFiles.Export.Ended.Response(
      folder: "/out",
      counts: counts,
      isInterrupted: false,
      isDryRun: false
    )

    #expect(Wording.summary(ended) == "\(text)")
  }

  @Test func `presents why nothing was exported`() async throws {
    let (interactor, exporter) = interactor([.failed(.busy(path: "/out"))])
    await interactor.exportFiles(request: try request())
    #expect(exporter.plans.map(\.access) == [.making])
    await interactor.exportFiles(request: try request(feed: .id(99)))
    #expect(exporter.plans.count == 1)

    #expect(
      spy.events == [
        .failure(.init(failure: .site(.busy(path: "/out")))),
        .failure(.init(failure: .noSuchFeed(.id(99)))),
      ]
    )
  }

  @Test func `has each sync follow a folder that was exported, and none that was not`() async throws
  {
    var request = try request()
    request.follow = .init(isWanted: true, path: "/abs/out")
    await interactor([.failed(.busy(path: "/out"))]).0.exportFiles(request: request)
    #expect(folders.followed == [:])
    await interactor([.ended(FileExportCounts(), isInterrupted: false)]).0
      .exportFiles(request: request)
    let folder = FollowedFolder(
      path: "/abs/out",
      query: ImageQuery(search: "moon"),
      template: try NameTemplate(),
      sidecars: .xmp
    )
    #expect(folders.followed == ["/abs/out": folder])
    request.follow?.isWanted = false
    await interactor([.ended(FileExportCounts(), isInterrupted: false)]).0
      .exportFiles(request: request)
    #expect(folders.followed == [:])
  }

  @Test(arguments: [
    (
      true,
      "cannot export the original of 1: its folder has the file no longer, or has another one there — gallery exports "
        + "the others, and <run(command: \"sync\")> reads the folder again"
    ),
    (
      false,
      "cannot export the original of 1: its file is missing or damaged — gallery exports the others, and "
        + "<repairPictures>"
    ),
  ])
  func `suggests a repair only for files of the library`(isOfFolder: Bool, text: String) {
    let file = LeftFile(imageID: 1, path: "a.jpg", reason: .damaged, isOfFolder: isOfFolder)
    #expect(Wording.left(.init(folder: "/out", file: file, number: 1)).described == text)
  }

  @Test func `names the first files that are left alone, and counts all`() {
    let display = ExportFilesDisplaySpy()
    let presenter = ExportFilesPresenter(display: display)
    for number in 1...30 {
      let file = LeftFile(imageID: 1, path: "a.jpg", reason: .moved)
      presenter.presentNote(response: .left(.init(folder: "/out", file: file, number: number)))
    }
    var counts = FileExportCounts()
    (counts.images, counts.total, counts.left) = (40, 40, 30)
    presenter.presentEnd(
      response: .init(folder: "/out", counts: counts, isInterrupted: false, isDryRun: false)
    )

    #expect(
      display.texts == Array(
        repeating: "left alone: '/out/a.jpg' was moved or deleted, and is not written again",
        count: 20
      ) + ["'/out' is up to date: 40 images, 30 files left alone"]
    )
  }

  @Test(arguments: [
    (2, 0, 0, false, false, "exported to '/out': 5 images, 2 linked"),
    (0, 1, 3, false, false, "exported to '/out': 5 images, 1 cloned, 3 copied (7 B)"),
    (0, 0, 0, false, false, "'/out' is up to date: 5 images"),
    (2, 0, 0, true, false, "would export to '/out': 5 images, 2 files to write"),
    (2, 0, 0, false, true, "interrupted: 5 images, 2 linked — the next export continues from here"),
  ])
  func `sums up an export`(
    linked: Int,
    cloned: Int,
    copied: Int,
    isDryRun: Bool,
    isInterrupted: Bool,
    text: HintedText
  ) {
    var counts = FileExportCounts()
    (counts.images, counts.total, counts.copiedBytes) = (5, 5, 7)
    (counts.linked, counts.cloned, counts.copied) = (linked, cloned, copied)
    let response = ExportFiles.Export.Ended.Response(
      folder: "/out",
      counts: counts,
      isInterrupted: isInterrupted,
      isDryRun: isDryRun
    )

    #expect(Wording.summary(response) == text)
    #expect(ExportFiles.Export.outcome(response) == (isInterrupted ? .partly : .done))
  }

  @Test(arguments: [
    (1, false, "exported to '/out': 5 images, 1 linked"),
    (1, true, "would export to '/out': 5 images, 1 file to write"),
  ])
  func `tells of names without an ending`(linked: Int, isDryRun: Bool, text: String) {
    var counts = FileExportCounts()
    (counts.images, counts.total, counts.linked) = (5, 5, linked)
    let response = ExportFiles.Export.Ended.Response(
      folder: "/out",
      counts: counts,
      isInterrupted: false,
      isDryRun: isDryRun,
      hasEndings: false
    )

    let end = "; the names have no ending, which '.{ext}' in the template adds"
    #expect(Wording.summary(response).described == text + end)
  }

  // MARK: Sidecars

  private func image() throws -> NamedImage {
    let fields = ImageFields(
      title: "Moon & <sea>",
      caption: "a\u{1}b]]>",
      author: "Zoë",
      licence: "https://creativecommons.org/licenses/by/4.0/",
      published: 1_793_664_000,
      pageAddress: "https://user:secret@example.com/moon",
      thumbnailAddress: nil,
      originalAddress: "https://example.com/moon.jpg?token=secret",
      width: nil,
      height: nil
    )
    let hash = SHA256Digest(hexadecimal: String(repeating: "0a", count: 32))
    let info = PictureInfo(format: .jpeg, bytes: 7, width: 3, height: 2, hash: hash)
    let state = ImageState.sample(
      id: 3,
      fields: fields,
      original: .init(info: info, isStale: false)
    )
    return try #require(NamedImage(state, feed: "Sky"))
  }

  @Test(arguments: SidecarFormat.allCases)
  func `a sidecar says what is known, and no secret`(format: SidecarFormat) throws {
    let text = String(decoding: Sidecars().sidecar(of: try image(), format), as: UTF8.self)

    #expect(text.contains("Zoë") && text.contains("2026-11-03T00:00:00Z"))
    #expect(!text.contains("secret") && !text.contains("\u{1}"))
    switch format {
    case .json: #expect(text.hasPrefix("{\"id\":3,\"title\":\"Moon & <sea>\","))
    case .xmp:
      #expect(text.contains("<rdf:li xml:lang=\"x-default\">Moon &amp; &lt;sea&gt;</rdf:li>"))
      #expect(text.contains("a\u{FFFD}b]]&gt;"))
    }
  }
}
