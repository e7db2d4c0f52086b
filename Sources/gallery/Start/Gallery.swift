import CurlNetwork
import FeedFormats
import Foundation
import Imaging
import Logging
import Models
import SQLiteCache
import Scenes
import Terminal
import Workers

/// The composition root: the one place that names concrete workers, presenters and displays, and
/// wires a scene for a command.
struct Gallery {
  let console: Console
  private let output: DescriptorSink
  let options: CommonOptions
  private let reader: SQLiteReader
  private let library: SQLiteLibrary
  private let network: OnDemandNetwork
  /// Starts its first process with the first picture that is to be decoded.
  private let decoders: ImageDecoderPool
  /// Sums up where time goes; nil unless `--timings` asks for it.
  private let stopwatch: Stopwatch?

  /// Opens nothing yet: the library's file and the network wait for the first question.
  init(
    _ options: CommonOptions,
    network networkOptions: NetworkOptions? = nil,
    jobs: Int? = nil,
    pipes: [WebAddress: Int32] = [:],
    isTimed: Bool = false,
    whenOutputClosed: OutputClosed = .goOn
  ) {
    let place = LibraryPlace.ofProgram(option: options.cache)
    let logger = Program.logger(isVerbose: options.verbose)
    logger?.info("the library is \(place.path)")
    self.options = options
    output = Program.standardOutput(whenClosed: whenOutputClosed)
    console = Program.console(
      isQuiet: options.quiet,
      isVerbose: options.verbose,
      output: output
    )
    reader = SQLiteReader(folder: place.path)
    Program.keep(reader)
    let stopwatch = isTimed ? Stopwatch() : nil
    self.stopwatch = stopwatch
    let library = SQLiteLibrary(folder: place.path, reader: reader, stopwatch: stopwatch)
    self.library = library
    decoders = ImageDecoderPool { logger?.info("\(Wording.ready($0))") }
    network = OnDemandNetwork {
      NetworkWorker(
        userAgent: Version.userAgent,
        limits: jobs.map(ConnectionLimits.init(jobs:)) ?? ConnectionLimits(),
        certificateFile: networkOptions?.cacert,
        netrcFile: NetrcPlace(environment: Program.environment(["HOME", "NETRC"])).path,
        pipes: pipes,
        pauses: library,
        stopwatch: stopwatch,
        logger: logger
      )
    }
  }

  /// Gets the network ready while the library is read; for commands that ask servers in any case.
  func prepareNetwork() { network.prepare() }

  /// Waits until the process may end, after `prepareNetwork`.
  func settleNetwork() async { await network.settle() }

  /// Keeps the library open to the end of the process, once what was written to it is on the disk.
  func keepLibrary() { Program.keep(library) }

  /// The scene that syncs, lists and selects, and the display that tells how it came out.
  func listImages(
    navigation: any ListImagesNavigation,
    style: ListStyle = ListStyle()
  ) -> (scene: ListImagesScene, display: CommandDisplay) {
    let output = listImagesOutput(style)
    let scene = ListImagesScene(
      presenter: output.presenter,
      navigation: navigation,
      library: reader,
      syncWorker: SyncWorker(tools: syncTools),
      decoder: decoders
    )
    return (scene, output.display)
  }

  /// What makes the scenes that show one image, and the display that tells how they came out.
  func showImage(
    drawing: PictureDrawing? = nil
  ) -> (makeScene: () -> ShowImageScene, display: CommandDisplay) {
    let output = showImageOutput(drawing)
    let makeScene = {
      ShowImageScene(
        presenter: output.presenter,
        library: reader,
        originalWorker: originalWorker,
        exporter: PictureExporter(),
        opener: PictureViewer(environment: Program.environment(["PATH"])),
        decoder: decoders,
        marker: library
      )
    }
    return (makeScene, output.display)
  }

  /// The scene that lists and removes feeds, and the display that tells how it came out.
  func listFeeds(
    asOPML: Bool = false
  ) -> (scene: ListFeedsScene, display: CommandDisplay) {
    let output = listFeedsOutput(asOPML: asOPML)
    let scene = ListFeedsScene(presenter: output.presenter, library: reader, manager: library)
    return (scene, output.display)
  }

  /// The scene that looks after what is stored, and the display that tells how it came out.
  func checkLibrary() -> (scene: CheckLibraryScene, display: CommandDisplay) {
    let presenter: any CheckLibraryPresentationLogic
    let display: CommandDisplay
    if options.json {
      let records = CheckLibraryJSONDisplay(console: console)
      presenter = CheckLibraryJSONPresenter(display: records)
      display = records
    } else {
      let text = CheckLibraryTextDisplay(console: console)
      presenter = CheckLibraryPresenter(display: text)
      display = text
    }
    let repairer = PictureRepairer(tools: syncTools, library: reader)
    let scene = CheckLibraryScene(
      presenter: presenter,
      library: reader,
      verifier: LibraryVerifier(library: library, repairer: repairer, imaging: decoders),
      cleaner: library
    )
    return (scene, display)
  }

  /// Ends the command with what its requests came to, unless what it said was not heard.
  func end(_ outcomes: Outcome?...) throws {
    decoders.shutDown()
    try settleLibrary()
    if let failure = output.failure {
      console.say(Wording.unwritableOutput(because: failure))
      try ExitStatus.check(.failed)
    }
    let all = outcomes.compactMap(\.self)
    try ExitStatus.check(all.reduce(nil) { $0?.combined(with: $1) ?? $1 })
  }

  /// Brings what the command has written to the disk: what it says is stored must outlast a power cut.
  func settleLibrary() throws {
    do throws(StoreError) {
      try library.settle()
    } catch {
      console.say(Wording.unsettled(error))
      try ExitStatus.check(.failed)
    }
  }

  private var originalWorker: OriginalWorker {
    OriginalWorker(network: network, store: library, imaging: decoders, now: { Date() })
  }

  private var formats: any FeedReading {
    stopwatch.map { TimedFeedReader(FeedReader(), $0) } ?? FeedReader()
  }

  private var imaging: any ImageDecoding {
    stopwatch.map { TimedImageDecoder(decoders, $0) } ?? decoders
  }

  private var syncTools: SyncTools {
    SyncTools(
      network: network,
      formats: formats,
      store: library,
      locks: library,
      originals: originalWorker,
      imaging: imaging,
      wording: Wording.reason,
      stopwatch: stopwatch,
      now: { Date() }
    )
  }
}
