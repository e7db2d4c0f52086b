package import FoundationEssentials

extension Date {
  /// 2026-11-02T08:00:00Z.
  package static let novemberMorning = Date(timeIntervalSince1970: 1_793_606_400)

  /// 2026-11-02T12:00:00Z.
  package static let novemberNoon = Date(timeIntervalSince1970: 1_793_620_800)
}
