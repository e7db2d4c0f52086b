/// A day of the Gregorian calendar, also before 1582 (ISO 8601-1:2019, section 4.2.1).
///
/// Foundation's formatter turns to the Julian calendar there, which would put old dates of museums ten
/// days off.
struct CalendarDay {
  let daysSince1970: Int

  /// Year, month from 1 and day from 1.
  var parts: (year: Int, month: Int, day: Int) {
    // Years that begin in March, so that the leap day comes last, in eras of 400 years.
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }
}
