package import ArgumentParser
import FoundationEssentials
package import ObjectStore
package import Settings
package import Workers

/// The options of commands that store originals, or report the limits for them.
package struct StorageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, \
      at once and to new ones, and pinned ones never do.
      """,
      valueName: "size"
    ),
    transform: SizeArgument.parseBound
  )
  package var keep: SizeArgument?

  @Option(
    help: ArgumentHelp(
      "Leave at least this much of the disk free of originals, 5G for example.",
      valueName: "size"
    ),
    transform: SizeArgument.parseBound
  )
  package var keepFree: SizeArgument?

  @OptionGroup package var objects: ObjectOptions

  package init() {}

  package var bounds: StorageBounds {
    StorageBounds(keep: keep?.bytes, keepFree: keepFree?.bytes)
  }
}

/// The object store for originals.
package struct ObjectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has \
      the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
      """,
      valueName: "bucket"
    ),
    transform: Self.parse
  )
  package var objects: S3Location?

  package init() {}

  /// Reads the address of a bucket.
  package init(_ text: String) throws { objects = try Self.parse(text) }

  /// The store, with the settings from the environment; nil for none.
  package var store: (location: S3Location, settings: S3Settings)? {
    objects.map { ($0, S3Settings(environment: ProcessInfo.processInfo.environment)) }
  }

  private static func parse(_ text: String) throws -> S3Location {
    if let location = S3Location(text) { return location }
    throw ValidationError(
      "'\(text)' is not a bucket: s3://photos/originals, for example, with 3 to 63 lower-case letters, digits, dots and "
        + "hyphens in its name"
    )
  }
}
