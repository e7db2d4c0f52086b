import ArgumentParser
import Composition
import FoundationEssentials
import Models
import Scenes
import Terminal
import Web
import Workers

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write originals as files, or a static site.",
    usage: "gallery export [<options>] <dir>",
    discussion: """
      Writes a file for each stored original, named by a template. Another export to the same folder \
      writes the changes. It keeps files that you moved or changed, and files that no export wrote. \
      Where the file system allows it, a file takes no additional space: it shares its content with \
      the library's file, and is read-only.

        gallery export photos
        gallery export photos --feed 2 --template '{date:%Y}/{title}.{ext}'
        gallery export photos --search moon --metadata xmp --dry-run
        gallery export --fields

      With --static it makes pages that work without scripts, the web app that works offline, \
      thumbnails, stored originals, and all that another gallery needs to mirror the library. No \
      addresses are absolute, so the folder may be served under any path.

        gallery export --static site
        gallery export --static /srv/www/photos --without-originals

      Another export of a site deletes the files of images that have left the library. It refuses a \
      folder with other files. It exports the whole library without removed and hidden images, and \
      masks secrets in addresses.
      """
  )

  @Flag(help: "Write pages and pictures as a web server serves them.")
  var `static` = false

  @Flag(help: "Leave the originals out: thumbnails alone.")
  var withoutOriginals = false

  @OptionGroup var selection: ImageSelection

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The names of new files; the default is '\(NameTemplate.standard)'.",
      valueName: "template"
    ),
    transform: ExportCommand.template
  )
  var template: NameTemplate?

  @Option(
    help: ArgumentHelp(
      "The sidecar to write beside each file: json, xmp or none.",
      valueName: "form"
    )
  )
  var metadata: Metadata = .none

  @Flag(help: "Print the names of the files that would be written, and write nothing.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo,
    help: "Bring the folder up to date with each sync from now on, or no longer."
  )
  var follow: Bool?

  @Flag(help: "Print the fields that a template may contain.")
  var fields = false

  @Argument(
    help: ArgumentHelp("The folder, which is made when it is missing.", valueName: "dir"),
    completion: .directory
  )
  var folder: String?

  @OptionGroup var storage: StorageOptions
  @OptionGroup var certificates: CertificateOptions
  @OptionGroup var common: CommonOptions

  /// The formats of sidecars.
  enum Metadata: String, ExpressibleByArgument, CaseIterable {
    case json, xmp, none

    var format: SidecarFormat? { SidecarFormat(rawValue: rawValue) }
  }

  func validate() throws {
    let named = [
      ("feed", selection.feed != nil), ("search", selection.search != nil),
      ("template", template != nil),
      ("metadata", metadata != .none), ("dry-run", dryRun), ("fields", fields),
      ("follow", follow != nil),
    ]
    for (option, isGiven) in named where isGiven && self.static {
      throw ValidationError("--static and --\(option) exclude each other")
    }
    if let question = folder.flatMap({ Synonym.question(aboutFolder: $0, of: "export") }) {
      throw ValidationError(question)
    }
    if dryRun, follow != nil {
      throw ValidationError("--dry-run and --follow exclude each other")
    }
    if withoutOriginals, !self.static {
      throw ValidationError("--without-originals is for a site, which --static makes")
    }
    if folder == nil, !fields { throw ValidationError("name the folder to export to") }
  }

  func run() async throws {
    let run = CommandRun(common, certificates: certificates, storage: storage)
    guard let folder, !fields else {
      let (interactor, display) = run.exportFiles()
      interactor.listFields()
      return try await run.end(display.outcome)
    }
    let interruption = Interruption()
    if self.static {
      let (interactor, display) = run.exportLibrary(site: StaticSite())
      let plan = SiteExportPlan(folder: folder, hasOriginals: !withoutOriginals)
      await interactor.exportSite(request: .init(plan, stop: interruption.stop))
      return try await run.end(display.outcome, after: interruption)
    }
    if follow != nil { try await run.refuseBackup(for: .export) }
    let (interactor, display) = run.exportFiles()
    await interactor.exportFiles(
      request: .init(
        folder: folder,
        place: FeedName(
          folder,
          relativeTo: FileManager.default.currentDirectoryPath,
          fileExists: FileManager.default.fileExists(atPath:)
        ),
        feed: selection.argument,
        search: selection.search,
        template: try template ?? NameTemplate(),
        sidecars: metadata.format,
        isDryRun: dryRun,
        follow: follow.map { .init(isWanted: $0, path: URL(filePath: folder).standardized.path) },
        stop: interruption.stop
      )
    )
    try await run.end(display.outcome, after: interruption)
  }

  private static func template(_ text: String) throws -> NameTemplate {
    do {
      return try NameTemplate(text)
    } catch {
      throw ValidationError(Wording.message(error, in: text))
    }
  }
}
