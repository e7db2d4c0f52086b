package import FoundationEssentials

/// When a server is asked whether the picture under an unchanged address is still the same.
///
/// A server that says how long its response holds is taken at its word. For one that does not,
/// a tenth of the time for which the picture is known not to have changed counts, as RFC 9111
/// (section 4.2.2) suggests, in whole seconds: a webcam's picture is asked for with every sync, one
/// of last year about once a month.
package enum PictureFreshness {
  /// However long a server says that its response holds, and however old a picture is.
  static let longest = 30 * 86_400.0

  /// When it is due.
  ///
  /// - Parameters:
  ///   - header: The header of the last response, a 304 or the picture itself.
  ///   - since: Since when the picture is likely to be what it is, for a response without
  ///     `Last-Modified`.
  ///   - now: The date.
  /// - Returns: The date from which on it is asked again.
  package static func checkDate(_ header: NetworkHeader, since: Date?, now: Date) -> Date {
    let seconds =
      header.freshSeconds.map(Double.init)
      ?? (now.timeIntervalSince(header.modified ?? since ?? now) / 10).rounded(.down)
    return now.addingTimeInterval(min(max(seconds, 0), longest))
  }
}
