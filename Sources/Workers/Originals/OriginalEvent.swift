/// What a fetch of one original says while it runs; one of the last two cases ends it.
package enum OriginalEvent: Sendable, Equatable {
  case progress(OriginalProgress)
  case fetched(FetchedOriginal)
  case failed(Failure)
}
