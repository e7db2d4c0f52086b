import ArgumentParser
import Composition
import Scenes
import Terminal
import Workers

struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Copy the library to another place.",
    usage: "gallery move [<options>] <place>",
    discussion: """
      Copies everything that is stored: feeds, images, thumbnails, originals and pins, with their ids. Then it \
      verifies the copy. The library stays unchanged, and can be read and synced during the copy.

        gallery move postgresql://gallery@db.example/gallery
        gallery --cache postgresql://gallery@db.example/gallery move ~/photos

      A run continues where an interrupted one stopped. Another run copies later changes: so stop all \
      syncs, run it once more, and use the copy from then on. It never overwrites a copy that has \
      changed since, and a copy loses more than a tenth of its images only with --accept-removals.

      Originals in an object store stay there. --to-objects puts them into another one, and \
      '--to-objects none' brings them back to the disk.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The folder of the copy, or the address of its PostgreSQL database.",
      valueName: "place"
    ),
    completion: .directory
  )
  var place: String?

  @Option(
    help: ArgumentHelp("The place of the copy, unless an argument names it.", valueName: "place"),
    completion: .directory
  )
  var to: String?

  @OptionGroup var removals: RemovalOptions
  @OptionGroup var copying: CopyOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard let place = place ?? to, !place.allSatisfy(\.isWhitespace) else {
      throw ValidationError(
        "name the place of the copy, as in: \(SuggestedCommand.program) move /mnt/usb/photos"
      )
    }
    if let named = self.place, let to, named != to {
      throw ValidationError("'\(named)' and '\(to)' are two places; a library moves to one of them")
    }
    if place == self.place, let question = Synonym.question(aboutFolder: place, of: "move") {
      throw ValidationError(question)
    }
  }

  func run() async throws {
    let (source, target) = try copying.runs(common, to: place ?? to)
    try await source.copyLibrary(to: target, for: .move, acceptsRemovals: removals.isAccepted)
  }
}

/// The option of commands that bring a copy of a library up to date.
struct RemovalOptions: ParsableArguments {
  @Flag(
    name: .customLong("accept-removals"),
    help: "Let the copy lose all images that the library has lost, however many."
  )
  var isAccepted = false
}

/// The options of commands that copy a library.
struct CopyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The S3 bucket for the originals of the copy, or none; the same as the library's when not given.",
      valueName: "bucket"
    ),
    transform: Self.objects
  )
  var toObjects: Objects?

  @OptionGroup var network: NetworkOptions
  @OptionGroup var objects: ObjectOptions

  /// The additional place of the copy's originals, beside its folder.
  enum Objects: Sendable {
    case disk
    case store(ObjectOptions)
  }

  /// The runs of a library and of its copy, which lie apart.
  ///
  /// - Parameters:
  ///   - common: The other options of the command.
  ///   - from: The place of the library; nil for that of the options.
  ///   - to: The place of the copy; nil for that of the options.
  /// - Returns: Both runs.
  /// - Throws: `ValidationError` when both are in one place.
  func runs(
    _ common: CommonOptions,
    from: String? = nil,
    to: String? = nil
  ) throws -> (source: CommandRun, target: CommandRun) {
    var (originals, others) = (common, common)
    originals.cache = from ?? common.cache
    others.cache = to ?? common.cache
    let source = CommandRun(originals, network: network) { $0.objects = objects.store }
    var otherObjects: ObjectOptions? = objects
    switch toObjects {
    case .disk: otherObjects = nil
    case .store(let options): otherObjects = options
    case nil: break
    }
    let target = CommandRun(others, network: network) { $0.objects = otherObjects?.store }
    guard source.root.location != target.root.location else {
      throw ValidationError("the library is at '\(source.root.location.name)' already")
    }
    guard !source.root.location.overlaps(target.root.location) else {
      throw ValidationError(
        "'\(target.root.location.name)' overlaps the library's own folder; name another"
      )
    }
    return (source, target)
  }

  private static func objects(_ text: String) throws -> Objects {
    text == "none" ? .disk : .store(try ObjectOptions(text))
  }
}

extension CommandRun {
  /// Copies the library, and verifies a copy that becomes the gallery.
  ///
  /// A backup is compared as it is copied. Only `verified` reads all of it: else each run would take as long as the first.
  func copyLibrary(
    to target: CommandRun,
    for purpose: CopyPurpose,
    without isLeftOut: (tokens: Bool, settings: Bool) = (false, false),
    verified isVerified: Bool = false,
    another beginsAnother: Bool = false,
    acceptsRemovals: Bool = false
  ) async throws {
    let interruption = Interruption()
    let (interactor, display) = moveLibrary(
      to: target,
      for: purpose,
      without: isLeftOut,
      verified: isVerified,
      another: beginsAnother,
      acceptsRemovals: acceptsRemovals
    )
    let isCopied = await interactor.moveLibrary(request: .init(stop: interruption.stop))
    guard isCopied else { return try await end(display.outcome, after: interruption) }
    try await end(after: interruption)
    guard purpose != .backup else {
      return try await target.end(display.outcome, after: interruption)
    }
    let (checker, checkDisplay) = target.checkLibrary()
    // A restored library is the one of the command; what 'move' has made, only another command line names.
    let library =
      purpose == .move ? LibraryLocation.suggested(target.cache) : SuggestedCommand.library
    await SuggestedCommand.$library.withValue(library) {
      await checker.verifyLibrary(
        request: .init(plan: VerificationPlan(restarts: true), stop: interruption.stop)
      )
    }
    try await target.end(display.outcome, checkDisplay.outcome, after: interruption)
  }
}
