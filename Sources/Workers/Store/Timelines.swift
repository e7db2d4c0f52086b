package import Models

/// Lists of all ids, cached until the library changes.
///
/// A jump into the middle of a million images is an array access.
package actor Timelines {
  /// The images of one bucket, as many as a browser can handle together.
  private static let imagesPerBucket = 2_000
  /// The images of all cached timelines, at 8 bytes each.
  private static let mostImages = 4_000_000
  private static let mostTimelines = 16

  /// A part of a timeline, all from the same month.
  package struct Bucket: Sendable, Equatable {
    /// The index of its first image.
    package var start: Int
    package var count: Int
    /// The months since January of the year 0; nil in an order that is not by date.
    package var month: Int?

    package init(start: Int, count: Int, month: Int?) {
      self.start = start
      self.count = count
      self.month = month
    }
  }

  /// A timeline in buckets, which a browser requests one by one.
  package struct Buckets: Sendable {
    package var version: LibraryVersion
    package var ids: [Int64]
    package var buckets: [Bucket]

    /// Splits each month into buckets.
    package init(_ timeline: Timeline, version: LibraryVersion) {
      self.version = version
      ids = timeline.ids
      buckets = []
      var start = 0
      for run in timeline.runs {
        let end = start + run.count
        while start < end {
          let count = min(Timelines.imagesPerBucket, end - start)
          buckets.append(Bucket(start: start, count: count, month: run.month))
          start += count
        }
      }
    }
  }

  private struct Kept {
    var query: ImageQuery
    var buckets: Buckets
  }

  /// A list that is being read, so that several requests for it read it once.
  private struct Reading {
    var query: ImageQuery
    var version: LibraryVersion
    var task: Task<Result<Buckets, StoreError>, Never>
  }

  private let library: any LibraryReading
  private var readings: [Reading] = []
  /// The cached timelines; the most recently requested is the last.
  private var kept: [Kept] = []

  package init(_ library: any LibraryReading) { self.library = library }

  /// The buckets of a query in the current state of the library.
  package func buckets(of query: ImageQuery) async throws(StoreError) -> Buckets {
    let version = try await library.version()
    if let kept = take(query), kept.version == version { return keep(kept, query) }
    return keep(try await read(query, version).value.get(), query)
  }

  private func read(
    _ query: ImageQuery,
    _ version: LibraryVersion
  ) -> Task<Result<Buckets, StoreError>, Never> {
    if let reading = readings.first(where: { $0.query == query && $0.version == version }) {
      return reading.task
    }
    let task = Task { [library] () -> Result<Buckets, StoreError> in
      let result: Result<Buckets, StoreError>
      do throws(StoreError) {
        let timeline = try await library.timeline(matching: query)
        result = .success(Buckets(timeline, version: version))
      } catch {
        result = .failure(error)
      }
      readings.removeAll { $0.query == query && $0.version == version }
      return result
    }
    readings.append(Reading(query: query, version: version, task: task))
    return task
  }

  /// The buckets of a query at a change number; nil when they are neither cached nor current.
  ///
  /// While a sync changes the library, a scrolling browser continues with the state of its list.
  package func buckets(
    of query: ImageQuery,
    at number: Int64
  ) async throws(StoreError) -> Buckets? {
    if let kept = kept.last(where: { $0.query == query && $0.buckets.version.number == number }) {
      return kept.buckets
    }
    let buckets = try await buckets(of: query)
    return buckets.version.number == number ? buckets : nil
  }

  private func take(_ query: ImageQuery) -> Buckets? {
    kept.last { $0.query == query }?.buckets
  }

  private func keep(_ buckets: Buckets, _ query: ImageQuery) -> Buckets {
    kept.removeAll { $0.query == query && $0.buckets.version == buckets.version }
    kept.append(Kept(query: query, buckets: buckets))
    var total = kept.reduce(0) { $0 + $1.buckets.ids.count }
    while total > Self.mostImages || kept.count > Self.mostTimelines, kept.count > 1 {
      total -= kept.removeFirst().buckets.ids.count
    }
    return buckets
  }
}
