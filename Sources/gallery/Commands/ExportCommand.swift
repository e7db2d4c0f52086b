import ArgumentParser
import Scenes
import Terminal
import Web
import Workers

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the library as a static site, for any web server or bucket.",
    discussion: """
      Makes pages that work without scripts, the web app that works offline, thumbnails, stored \
      originals, and all that another gallery needs to mirror the library. No addresses are absolute, \
      so the folder may be served under any path.

        gallery export --static site
        gallery export --static /srv/www/photos --without-originals

      Another export to the same folder writes what has changed, and deletes what is not part of the \
      library any more. A folder with other files is refused. The whole library is exported, without \
      what is removed or hidden, and secrets in addresses are masked.
      """
  )

  @Flag(help: "Write pages and pictures as a web server serves them.")
  var `static` = false

  @Flag(help: "Leave the originals out: thumbnails alone.")
  var withoutOriginals = false

  @Argument(
    help: ArgumentHelp("The folder, which is made when it is missing.", valueName: "dir"),
    completion: .directory
  )
  var folder: String

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !self.static else { return }
    throw ValidationError("say which form: 'gallery export --static \(folder)' makes a web site")
  }

  func run() async throws {
    let run = CommandRun(common)
    let interruption = Interruption()
    let (interactor, display) = run.exportLibrary(site: try StaticSite())
    let plan = SiteExportPlan(folder: folder, hasOriginals: !withoutOriginals)
    await interactor.exportSite(request: .init(plan, stop: interruption.stop))
    try await run.end(display.outcome, after: interruption)
  }
}
