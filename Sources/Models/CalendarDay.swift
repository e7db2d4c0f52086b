/// A day of the Gregorian calendar, also before 1582 (ISO 8601-1:2019, section 4.2.1).
///
/// Foundation's formatter turns to the Julian calendar there, which would put old dates of museums ten
/// days off. Inside, years begin in March, so that the leap day comes last, in eras of 400 years.
package struct CalendarDay: Sendable, Equatable {
  private static let daysPerEra = 146_097
  /// From the first day of the first era to the first of 1970.
  private static let daysBefore1970 = 719_468

  package let daysSince1970: Int

  package init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

  /// Takes month and day from 1; a day behind the month's last one is one of the next month.
  package init(year: Int, month: Int, day: Int) {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSince1970 = era * Self.daysPerEra + dayOfEra - Self.daysBefore1970
  }

  /// Year, month from 1 and day from 1.
  package var parts: (year: Int, month: Int, day: Int) {
    let days = daysSince1970 + Self.daysBefore1970
    let era = (days >= 0 ? days : days - (Self.daysPerEra - 1)) / Self.daysPerEra
    let dayOfEra = days - era * Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }
}
