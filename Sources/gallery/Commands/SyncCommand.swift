import ArgumentParser
import Composition
import FoundationEssentials
import Models
import Scenes
import Settings
import Terminal
import Workers

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Fetch feeds and their thumbnails.",
    usage: "gallery sync [<options>] [<feed> ...]",
    discussion: """
      A feed is an http or https address, the path of a document or of a folder of pictures on this \
      disk, or '-' for a document on standard input. 'https://' may be left out. A feed that you follow can also be named by its \
      id or title. Without a feed, all that you follow are synced.

        gallery sync https://www.nasa.gov/feeds/iotd-feed/
        gallery sync example.com/photos.xml
        jq .photos answer.json | gallery sync - --as photos
        gallery sync --originals --budget 2G 1
        gallery sync --dry-run
        gallery sync --explain 1
        gallery sync
        gallery sync --watch

      JSON lists, JSON Feed, RSS, Atom and IIIF are recognised by their content; a web page leads to \
      its feed, an OPML list to all of its feeds. The address of another gallery mirrors it: its feeds, \
      images and thumbnails. An interrupted sync keeps what it has received, and the next one continues from there.
      """
  )

  @Argument(
    help: ArgumentHelp("An address, a path, '-', or a feed's id or title.", valueName: "feed"),
    completion: LibraryCompletion.feedsAndFiles
  )
  var feeds: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Sync the feeds in this file, too: one a line, '#' or '//' for comments; '-' is standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var input: String?

  @Flag(help: "Do nothing, and end with status 0, if no feed is followed.")
  var ifAny = false

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      """
      Give the document from a pipe a name, or an address, as its own feed. The ids of its entries then count; \
      without a name, only the addresses of pictures tell its images apart.
      """,
      valueName: "name"
    )
  )
  var identity: String?

  @Flag(help: "Fetch every original of the feeds, newest first.")
  var originals = false

  @Flag(help: "Fetch the feeds' documents only: no thumbnails.")
  var metadataOnly = false

  @Option(
    help: ArgumentHelp(
      """
      Fetch at most this much of originals: 500M, 2G; the rest waits for later syncs. The default is \
      no limit with --originals, else 200M of originals from which thumbnails are made.
      """,
      valueName: "size"
    ),
    transform: SizeArgument.parse
  )
  var budget: SizeArgument?

  @Flag(help: "Report the changes that a sync would make: fetch documents, but store nothing.")
  var dryRun = false

  @Flag(
    help: """
      Keep running, and ask each feed that you follow when it is due: as often as it changes, as 'feeds set --every' \
      says, and never more often than its server allows.
      """
  )
  var watch = false

  @Flag(
    help: """
      Show for each entry which address became the original, which the thumbnail, which were not used, \
      and why; nothing is stored.
      """
  )
  var explain = false

  @Flag(help: "Follow the own pictures of the named web pages, and not the feeds that these name.")
  var page = false

  @Flag(help: "Ask for documents and thumbnails again, as if nothing were stored.")
  var force = false

  @Flag(
    help: "Let the copies of the named galleries lose all that these have lost, however much it is."
  )
  var acceptRemovals = false

  @Option(
    help: ArgumentHelp(
      "Follow a gallery or a folder of pictures that has moved: the named feed goes on with what the library has of this one.",
      valueName: "feed"
    ),
    completion: LibraryCompletion.feeds
  )
  var takeOver: String?

  @Flag(help: "Try pictures again that failed in earlier syncs, without waiting.")
  var retryFailed = false

  @Flag(
    help: """
      Let the named feeds, and those that they list, lead to private addresses, now and later, such as \
      other hosts of your own network.
      """
  )
  var allowPrivate = false

  @Flag(
    help: """
      Read feeds to their end. Otherwise a sync stops a feed at 1,000,000 images, 1,000 \
      documents after the first, 2 GiB or one hour of documents, or 256 MiB for the library.
      """
  )
  var noLimits = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    parsing: .unconditional,
    help: ArgumentHelp(
      "At most this many transfers at once, and as many connections to one host.",
      valueName: "n"
    )
  )
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Receive at most this much a second, all transfers together: 500K, 2M.",
      valueName: "size"
    ),
    transform: RateArgument.bytes
  )
  var limitRate: SizeArgument?

  @Option(
    help: ArgumentHelp("Ask each host at most this often a second: 2, 0.5.", valueName: "n"),
    transform: RateArgument.requests
  )
  var requestsPerSecond: Double?

  @Flag(help: "Print at the end where the time went: waiting, parsing, decoding, storing.")
  var timings = false

  @OptionGroup var telling: TellingOptions
  @OptionGroup var storage: StorageOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if feeds.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("a feed is named by an empty text: is a variable of the shell empty?")
    }
    let isUnnamed = feeds.isEmpty && input == nil
    if ifAny, !isUnnamed {
      throw ValidationError("--if-any is for a sync of all feeds, and takes none")
    }
    if allowPrivate, isUnnamed {
      throw ValidationError("--allow-private takes the feeds that it is for")
    }
    if acceptRemovals, isUnnamed {
      throw ValidationError("--accept-removals takes the galleries that it is for")
    }
    if takeOver != nil, feeds.count != 1 || input != nil {
      throw ValidationError("--take-over takes one feed: the new address of the gallery or folder")
    }
    if page, isUnnamed {
      throw ValidationError("--page takes the pages that it is for")
    }
    if explain, isUnnamed {
      throw ValidationError("--explain takes the feeds that it is to explain")
    }
    if watch, !isUnnamed {
      throw ValidationError("--watch takes no feeds: it asks all of them")
    }
    let ofOneRun = [
      ("--dry-run", dryRun), ("--explain", explain), ("--force", force),
      ("--retry-failed", retryFailed), ("--timings", timings),
    ]
    if watch, let option = ofOneRun.first(where: \.1)?.0 {
      throw ValidationError("\(option) is for one sync, and --watch makes many")
    }
    // The options for fetching pictures.
    let pictures = [
      ("--originals", originals), ("--budget", budget != nil), ("--retry-failed", retryFailed),
    ]
    let exclusion = metadataOnly ? "--metadata-only" : explain ? "--explain" : nil
    if let exclusion, let option = pictures.first(where: \.1)?.0 {
      throw ValidationError("\(exclusion) fetches no pictures: \(option) has no meaning with it")
    }
  }

  private var plan: SyncPlan {
    var plan = SyncPlan(
      feeds: [],
      fetchesThumbnails: !metadataOnly && !explain,
      fetchesOriginals: originals,
      isForced: force,
      retriesFailed: retryFailed,
      isDryRun: dryRun || explain,
      isExplained: explain,
      reach: allowPrivate ? .anywhere : nil,
      bounds: noLimits ? .none : FeedBounds(),
      originalBytes: budget?.bytes
    )
    plan.isWatching = watch
    plan.acceptsRemovals = acceptRemovals
    plan.followsPages = page
    plan.followsListedFolders = true
    return plan
  }

  /// The user's settings of feeds, with the limits of this run.
  private func feedSettings() throws -> FeedSettings {
    var settings = try FeedSettings.ofUser()
    settings.bytesPerSecond = limitRate?.bytes
    settings.requestsPerSecond = requestsPerSecond
    return settings
  }

  func run() async throws {
    var lines: [ListedFeed] = []
    if let input {
      lines = try await FeedList.feeds(ofFile: input) {
        let location = LibraryLocation(option: common.cache)
        return (try? await CompositionRoot(CompositionRoot.Settings(location)).library.feeds())
          ?? []
      }
    }
    let arguments = try FeedArguments(feeds + lines.map(\.text), as: identity)
    var plan = plan
    plan.pages = Set(lines.filter(\.isPage).compactMap { WebAddress($0.text)?.identity })
    let run = CommandRun(
      common,
      network: network,
      feeds: try feedSettings(),
      storage: storage
    ) { settings in
      settings.tellers = telling.tellers
      settings.jobs = jobs
      settings.pipes = arguments.pipes
      settings.isTimed = timings
    }
    // A sync always asks servers, so the network starts while the library is read.
    run.root.prepareNetwork()
    try await run.refuseBackup(for: .sync)
    let interruption = Interruption()
    if !dryRun, !explain { await run.keepWithinBounds(until: interruption.stop) }
    let (interactor, display) = run.syncFeeds()
    if watch { SystemdNotification.send("READY=1") }
    await interactor.syncFeeds(
      request: .init(
        feeds: arguments.feeds,
        plan: plan,
        formerGallery: takeOver.map(FeedArguments.feed),
        authorities: network.certificates.typed,
        mayHaveNone: ifAny,
        stop: interruption.stop
      )
    )
    if watch, interruption.isReload {
      SystemdNotification.sendReloading()
    } else if watch {
      SystemdNotification.send("STOPPING=1")
    }
    // A watch ends only by a signal, which is not a failure.
    try await run.end(display.outcome, after: watch ? nil : interruption)
    if watch, interruption.isReload { SystemdNotification.restart() }
  }
}
