package import FoundationEssentials

/// When a server is asked whether the picture at an unchanged address is still the same.
///
/// The response may say for how long it is fresh. Otherwise it is fresh for a tenth of the time
/// since the picture last changed, as RFC 9111 (section 4.2.2) suggests, in whole seconds. So a
/// sync always asks for the picture of a webcam, and for one of last year about once a month.
package enum PictureFreshness {
  /// The longest time, whatever the response says and however old the picture is.
  static let longest = 30 * 86_400.0

  /// The date at which it is due.
  ///
  /// - Parameters:
  ///   - header: The header of the last response, a 304 or the picture itself.
  ///   - since: The date since which the picture has probably not changed, for a response without
  ///     `Last-Modified`.
  ///   - now: The date.
  /// - Returns: The date from which on the server is asked again.
  package static func checkDate(_ header: NetworkHeader, since: Date?, now: Date) -> Date {
    let seconds =
      header.freshSeconds.map(Double.init)
      ?? (now.timeIntervalSince(header.modified ?? since ?? now) / 10).rounded(.down)
    return now.addingTimeInterval(min(max(seconds, 0), longest))
  }
}
