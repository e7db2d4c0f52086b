import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ExportLibraryInteractorTests {
  private let presenter = RunPresentationSpy<ExportLibrary.ExportSite>()
  private let plan = SiteExportPlan(folder: "/site", hasOriginals: false)

  private func interactor(
    _ exporter: SiteExportingStub,
    library: LibraryStub = LibraryStub(feeds: [.astronomy])
  ) -> ExportLibraryInteractor {
    ExportLibraryInteractor(
      presenter: presenter,
      library: library,
      exporter: exporter,
      pause: Pauses.never
    )
  }

  @Test func `presents what an export says, in order`() async {
    var counts = SiteExportCounts()
    counts.images = 12
    counts.damaged = 1
    let exporter = SiteExportingStub([
      .damaged(path: "/l/a.jpg"), .ended(counts, isInterrupted: false),
    ])

    await interactor(exporter).exportSite(request: .init(plan, stop: StopRequest()))

    let ended = ExportLibrary.ExportSite.Ended.Response(
      folder: "/site",
      counts: counts,
      isInterrupted: false
    )
    #expect(exporter.events == [.export(plan)])
    #expect(presenter.events == [.note(.init(path: "/l/a.jpg")), .ended(ended)])
    #expect(ExportLibrary.ExportSite.outcome(ended) == .partly)
  }

  @Test func `stops when it is asked to, and presents the end`() async {
    let exporter = SiteExportingStub(goesOn: true)
    let stop = StopRequest()
    stop.make()

    await interactor(exporter).exportSite(request: .init(plan, stop: stop))

    #expect(exporter.events == [.export(plan), .stop])
    #expect(
      presenter.events == [
        .ended(.init(folder: "/site", counts: SiteExportCounts(), isInterrupted: true))
      ]
    )
  }

  @Test func `presents why there is no site`() async {
    let exporter = SiteExportingStub([.failed(.foreign(path: "/site"))])

    await interactor(exporter).exportSite(request: .init(plan, stop: StopRequest()))

    #expect(presenter.events == [.failure(.init(failure: .site(.foreign(path: "/site"))))])
  }

  @Test func `asks for no export of a library that cannot be read`() async {
    let exporter = SiteExportingStub()
    let library = LibraryStub(error: .damaged)

    await interactor(exporter, library: library)
      .exportSite(request: .init(plan, stop: StopRequest()))

    #expect(exporter.events == [])
    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .export)))])
  }
}
