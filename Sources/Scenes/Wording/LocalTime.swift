package import FoundationEssentials
import Glibc
import Workers

/// The time that the clocks of this machine show, by its time zone (tzset(3)).
///
/// `TimeZone` of FoundationEssentials does not know it. All of Foundation does, but brings ICU, which would double the
/// size of the program.
package enum LocalTime {
  /// The seconds by which the clocks are ahead of UTC at a moment.
  package static func offset(at date: Date) -> Int {
    var second = time_t(date.storedSeconds)
    var parts = tm()
    return localtime_r(&second, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  /// Finds the moment at which the clocks show a time.
  ///
  /// - Parameters:
  ///   - clock: The moment at which the clocks of UTC show the time.
  ///   - offset: The seconds by which the clocks are ahead of UTC at a moment.
  /// - Returns: The moment; the first of two when the clocks are set back and show the time twice. When the clocks are
  ///   set forward and skip the time, it is the moment at which they would have shown it.
  package static func date(atClock clock: Date, offset: (Date) -> Int) -> Date {
    // The moment is less than a day from that of UTC, so the clocks are set between these two offsets, if at all.
    let (before, after) = (offset(clock - 86_400), offset(clock + 86_400))
    let moments = [before, after].map { clock - TimeInterval($0) }
    let shown = moments.filter { $0 + TimeInterval(offset($0)) == clock }
    return shown.min() ?? moments[0]
  }
}
