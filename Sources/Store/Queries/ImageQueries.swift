/// The SQL that reads images for scenes.
package enum ImageQueries {
  /// The condition that an image is listed.
  ///
  /// A removal of its feed may not have hidden all of its images yet.
  package static let isListed = """
    is_hidden = 0 AND NOT (SELECT is_removed FROM feed WHERE feed.id = feed_id)
    """
}
