import ArgumentParser
import Composition
import Workers

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up the library.",
    usage: "gallery backup [<options>] [<place>]",
    discussion: """
      Makes a backup in another folder or database, or brings an earlier one up to date: with all feeds, \
      images, pictures and pins, their ids, the key pair of the library, the tokens of the server and the \
      settings. The library can be read and synced during the backup. The pictures of folders that are feeds \
      stay in these folders, and are not in it.

        gallery backup /mnt/usb/gallery
        gallery backup postgresql://gallery@db.example/backup

      Another run copies only what is new or changed, and what the backup has lost. If it is interrupted, the \
      backup keeps its earlier state. --verify also reads all that the backup has, and copies again what is \
      damaged. A whole picture of the backup is never replaced by a damaged one of the library.

      What was removed from the library goes from the backup, too. If that is more than a tenth of its images \
      at once (or all of fewer than 20), nothing is written without --accept-removals, because the library may \
      have lost them.

      If a backup was made in a folder and is not there any more, its disk may not be mounted: then nothing is \
      written. --new begins another backup there. It also begins one in place of a backup whose database is \
      damaged: that and the thumbnails move into a folder former-… beside the originals.

      Commands can list, show, verify and export a backup with --cache, but not change it. 'gallery \
      restore' makes a library from it.

      The settings can name the place: 'to' in the section [backup].
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The folder of the backup, or the address of its PostgreSQL database.",
      valueName: "place"
    ),
    completion: .directory
  )
  var place: String?

  @Option(
    help: ArgumentHelp("The place of the backup, unless an argument names it.", valueName: "place"),
    completion: .directory
  )
  var to: String?

  @Flag(help: "Read all that the backup has, and copy again what is damaged.")
  var verify = false

  @Flag(help: "Begin another backup where an earlier one is gone, or is damaged.")
  var new = false

  @OptionGroup var removals: RemovalOptions
  @OptionGroup var copying: CopyOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if (place ?? to)?.allSatisfy(\.isWhitespace) ?? true {
      throw ValidationError(
        "name the place of the backup, or set it: to = \"/mnt/usb/gallery\" in the section [backup] of the settings"
      )
    }
    if let question = place.flatMap({ Synonym.question(aboutFolder: $0, of: "backup") }) {
      throw ValidationError(question)
    }
  }

  func run() async throws {
    let (source, target) = try copying.runs(common, to: place ?? to)
    let location = target.root.location
    // Otherwise a backup to a disk that is not mounted would fill the disk of the system.
    if location.database == nil, let folder = location.missingParent {
      throw ValidationError(
        "there is no folder '\(folder)' for the backup: is its disk mounted? If it is to be on this disk, make the folder"
      )
    }
    try await source.copyLibrary(
      to: target,
      for: .backup,
      verified: verify,
      another: new,
      acceptsRemovals: removals.isAccepted
    )
  }
}

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Make a library from a backup.",
    usage: "gallery restore [<options>] <backup>",
    discussion: """
      Makes a library with everything that the backup has, at the usual place or at the one that --cache \
      names, and verifies it. Nothing is replaced: there must be no library yet, and tokens and settings \
      that are there stay as they are. The backup stays as it is, too.

        gallery restore /mnt/usb/gallery
        gallery --cache ~/photos restore /mnt/usb/gallery --without-settings

      For other galleries that mirror it, the restored library is the same gallery. New images get ids that \
      the library did not use before.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The folder of the backup, or the address of its PostgreSQL database.",
      valueName: "backup"
    ),
    completion: .directory
  )
  var backup: String

  @Flag(help: "Do not restore the tokens of the server.")
  var withoutTokens = false

  @Flag(help: "Do not restore the settings.")
  var withoutSettings = false

  @OptionGroup var copying: CopyOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let (source, target) = try copying.runs(common, from: backup)
    try await source.copyLibrary(
      to: target,
      for: .restore,
      without: (withoutTokens, withoutSettings)
    )
  }
}
