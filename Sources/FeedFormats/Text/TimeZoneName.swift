/// The names of time zones that stand in dates of feeds.
enum TimeZoneName {
  /// Seconds east of Greenwich; nil for a name with several meanings.
  ///
  /// The name must be in lower case.
  /// The single letters of RFC 822 were defined with the wrong sign and are taken as universal
  /// time, as RFC 5322, section 4.3, asks.
  static func offset(of name: String) -> Int? {
    if name.utf8.count == 1 { return 0 }
    return hours[name].map { Int($0 * 3600) }
  }

  private static let hours: [String: Double] = [
    "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "met": 1, "cest": 2,
    "mest": 2, "eet": 2, "sast": 2, "eest": 3, "msk": 3, "msd": 4, "gst": 4, "pkt": 5, "ist": 5.5,
    "wib": 7, "ict": 7, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5,
    "aest": 10, "acdt": 10.5, "aedt": 11, "nzst": 12, "nzdt": 13, "brt": -3, "art": -3,
    "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
    "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8, "hst": -10,
  ]
}
