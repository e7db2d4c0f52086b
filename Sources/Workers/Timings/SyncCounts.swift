/// What the phases of a sync were spent on.
package struct SyncCounts: Sendable, Equatable {
  /// Requests that were begun, repeated ones and those after redirects included.
  package var requests = 0
  /// Responses whose headers came.
  package var responses = 0
  /// Those of them that said that nothing has changed (304).
  package var unchanged = 0
  /// Connections that were opened.
  package var connections = 0
  /// Bytes of headers and bodies, as sent.
  package var bytes = 0
  /// Documents that were parsed to their end.
  package var documents = 0
  /// Images that were found in documents.
  package var images = 0
  /// Pictures that were decoded, or could not be.
  package var pictures = 0
  /// Transactions that were committed.
  package var transactions = 0
  /// Rows that they wrote or deleted, those of the indexes of words included.
  package var rows = 0
  /// How many times all was brought to the disk.
  package var flushes = 0
  /// Originals that were stored.
  package var originals = 0
  /// Bytes that were written to originals' files, also of those that are not whole yet or not kept.
  package var originalBytes = 0

  package init() {}
}
