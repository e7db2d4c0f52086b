/// Where a copy goes.
package enum ExportDestination: Sendable, Equatable {
  /// A file: written beside and renamed; one that exists is kept unless it may be replaced. A pipe or
  /// a device of that name is written into.
  case file(path: String, isReplacing: Bool)
  case standardOutput
}
