import ArgumentParser
import Composition
import Scenes
import Terminal
import Workers

struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Copy the library to another place.",
    usage: "gallery move [<options>] --to <place>",
    discussion: """
      Copies everything that is stored: feeds, images, thumbnails, originals and pins, with their ids. Then it \
      verifies the copy. The library stays unchanged, and can be read and synced during the copy.

        gallery move --to postgresql://gallery@db.example/gallery
        gallery --cache postgresql://gallery@db.example/gallery move --to ~/photos

      A run continues where an interrupted one stopped. Another run copies later changes: so stop all \
      syncs, run it once more, and use the copy from then on. It never overwrites a copy that has \
      changed since.

      Originals in an object store stay there. --to-objects puts them into another one, and \
      '--to-objects none' brings them back to the disk.
      """
  )

  @Option(
    help: ArgumentHelp(
      "The folder of the copy, or the address of its PostgreSQL database.",
      valueName: "place"
    ),
    completion: .directory
  )
  var to: String

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
  @OptionGroup var common: CommonOptions

  /// The additional place of the copy's originals, beside its folder.
  enum Objects: Sendable {
    case disk
    case store(ObjectOptions)
  }

  func run() async throws {
    let source = CommandRun(common, network: network) { $0.objects = objects.store }
    var others = common
    others.cache = to
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
    let interruption = Interruption()
    let (interactor, display) = source.moveLibrary(to: target)
    let isCopied = await interactor.moveLibrary(request: .init(stop: interruption.stop))
    guard isCopied else { return try await source.end(display.outcome, after: interruption) }
    try await source.end(after: interruption)
    let (checker, checkDisplay) = target.checkLibrary()
    await checker.verifyLibrary(
      request: .init(plan: VerificationPlan(restarts: true), stop: interruption.stop)
    )
    try await target.end(display.outcome, checkDisplay.outcome, after: interruption)
  }

  private static func objects(_ text: String) throws -> Objects {
    text == "none" ? .disk : .store(try ObjectOptions(text))
  }
}
