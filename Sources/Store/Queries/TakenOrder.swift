package import Models

/// The SQL of the order `taken`: by the moment at which a picture was taken, as its original says (`picture_details`).
///
/// Images whose originals do not say it are last, in the order `newest`. A page of the whole library is ranges of two
/// indexes: that of the moments, then that of `newest`. A part of the library is sorted.
enum TakenOrder {
  /// The milliseconds from 1970 to the moment; a camera whose offset is not known counts as one in UTC.
  static let moment = "(taken_clock - coalesce(taken_offset, 0) * 60000)"

  /// The condition that the moment is one of `DateTaken.isSound`.
  private static let isTaken = """
    taken_clock BETWEEN -5364662400000 AND 253402300799999
      AND coalesce(taken_offset, 0) BETWEEN -900 AND 900
    """

  /// The statement that makes the index of moments.
  static let index = """
    CREATE INDEX picture_details_taken ON picture_details(\(moment)) WHERE \(isTaken);

    """

  /// What is added to the date of an image without a moment, which is less than any moment then.
  private static let undated: Int64 = -1 << 61

  /// The hash of an image's original.
  private static let original = """
    coalesce(
      (SELECT sha256 FROM image_original JOIN original ON original.id = original_id
        WHERE image_id = image.id),
      (SELECT sha256 FROM folder_original WHERE image_id = image.id)
    )
    """

  /// The sort key of an image without a moment.
  static let undatedKey = "date + \(undated)"

  /// The sort key of an image.
  static let key = """
    coalesce(
      (SELECT \(moment) FROM picture_details WHERE sha256 = \(original) AND \(isTaken)),
      \(undatedKey)
    )
    """

  /// Whether an image has no moment.
  static let isUndated = """
    NOT EXISTS (SELECT 1 FROM picture_details WHERE sha256 = \(original) AND \(isTaken))
    """

  /// The images of the originals in a row of `picture_details`.
  private static let owners = """
    SELECT image_id FROM original JOIN image_original ON original_id = original.id
    WHERE original.sha256 = picture_details.sha256
    UNION ALL
    SELECT image_id FROM folder_original
    WHERE folder_original.sha256 = picture_details.sha256
      AND NOT EXISTS (
        SELECT 1 FROM image_original WHERE image_original.image_id = folder_original.image_id
      )
    """

  /// The tables of the images that have a moment, with the condition for it; the index of moments leads to them.
  static func dated(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite:
      """
      picture_details CROSS JOIN image ON image.id IN (\(owners))
      WHERE \(isTaken)
      """
    case .postgres:
      """
      picture_details CROSS JOIN LATERAL (\(owners)) AS owner JOIN image ON image.id = image_id
      WHERE \(isTaken)
      """
    }
  }

  /// The same position in the order `newest`; nil for that of an image with a moment.
  static func newest(_ position: ImageCursor) -> ImageCursor? {
    guard position.number < undated / 2 else { return nil }
    var position = position
    position.number = position.number.subtractingReportingOverflow(undated).partialValue
    return position
  }
}

extension ImageQuery {
  /// The same query of an older library of PostgreSQL's that has no table of moments: no image has one.
  var withoutMoments: ImageQuery {
    var query = self
    query.order = .newest
    query.after = after.flatMap(TakenOrder.newest)
    return query
  }

  /// Whether a page is ranges of indexes in the order `taken`.
  private var isByMoments: Bool {
    order == .taken && limit != nil && isWholeScope && feedIDs.isEmpty
  }

  /// The ranges of the indexes that have the images of the query, one after the other; nil for all images.
  package var ranges: [ListingQuery.Part?] {
    guard isByMoments else {
      return after.map { ListingQuery.parts(behind: $0, of: self) } ?? [nil]
    }
    guard let after else { return [.dated(nil), .undated(nil)] }
    if let newest = TakenOrder.newest(after) {
      return [.undated(.same(newest)), .undated(.later(newest))]
    }
    return [.dated(.same(after)), .dated(.later(after)), .undated(nil)]
  }
}
