import Models
import Workers

extension SiteExport {
  /// The number of images in one part of a month.
  static let imagesPerPart = 200
  /// The number of newest images on the first page of a list.
  static let imagesOfFirstPage = 100

  /// Writes all pages, and returns the last ones unwritten, since they name the others; nil when it was interrupted.
  mutating func writePages() async throws(SiteExportError) -> [SiteFile]? {
    // A list of feeds has no images itself.
    let listed = tree.feeds.compactMap { feeds[$0.id] }.filter { !$0.isList }
    for feed in listed {
      guard let first = try await writeList(of: feed) else { return nil }
      try write(first)
    }
    guard let first = try await writeList(of: nil) else { return nil }
    return [exporter.site.page(of: listed), first]
  }

  /// Writes the months of a list, and returns its first page; nil when it was interrupted.
  private mutating func writeList(of feed: Feed?) async throws(SiteExportError) -> SiteFile? {
    let query = ImageQuery(feedID: feed?.id)
    let timeline = try await SiteExportError.ofStore(
      await exporter.library.timeline(matching: query)
    )
    let parts = Self.parts(of: timeline)
    for (index, part) in parts.enumerated() {
      if Task.isCancelled { return nil }
      let place = SitePage.Place.part(
        part.part,
        newer: index > 0 ? parts[index - 1].part : nil,
        older: index + 1 < parts.count ? parts[index + 1].part : nil
      )
      try write(try await page(place, of: feed, timeline, part.indices))
    }
    let months = timeline.runs.map { run in
      SitePage.Month(
        month: run.month ?? 0,
        images: run.count,
        parts: Self.partCount(ofImages: run.count)
      )
    }
    let newest = 0..<min(Self.imagesOfFirstPage, timeline.ids.count)
    return try await page(.first(months), of: feed, timeline, newest)
  }

  private func page(
    _ place: SitePage.Place,
    of feed: Feed?,
    _ timeline: Timeline,
    _ indices: Range<Int>
  ) async throws(SiteExportError) -> SiteFile {
    let ids = Array(timeline.ids[indices])
    let images = try await SiteExportError.ofStore(await exporter.library.states(ids: ids))
    let page = SitePage(
      place,
      of: feed,
      total: timeline.ids.count,
      images: images.map(published),
      feeds: feeds,
      pins: pins
    )
    return exporter.site.page(page)
  }

  /// The parts of a list, the newest first.
  ///
  /// They are counted from the oldest image of a month, so that a new image changes only the last part.
  static func parts(of timeline: Timeline) -> [(part: SitePage.Part, indices: Range<Int>)] {
    var parts: [(part: SitePage.Part, indices: Range<Int>)] = []
    var start = 0
    for run in timeline.runs {
      let end = start + run.count
      for number in stride(from: partCount(ofImages: run.count), to: 0, by: -1) {
        let part = SitePage.Part(month: run.month ?? 0, number: number)
        let first = max(start, end - number * imagesPerPart)
        parts.append((part, first..<end - (number - 1) * imagesPerPart))
      }
      start = end
    }
    return parts
  }

  private static func partCount(ofImages count: Int) -> Int {
    (count + imagesPerPart - 1) / imagesPerPart
  }
}
