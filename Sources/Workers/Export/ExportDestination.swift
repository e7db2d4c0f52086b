/// Where a copy goes.
package enum ExportDestination: Sendable, Equatable {
  /// A file: written beside and renamed; one that exists is kept unless it may be replaced.
  case file(path: String, isReplacing: Bool)
  case standardOutput
}
