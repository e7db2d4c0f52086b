/// The limits of fetching one original.
enum OriginalLimits {
  /// How many transfers may break off, one after another, without bringing it further.
  static let breaks = 5
  /// How many bytes more than ever before count as further.
  static let progressBytes = 64 << 10
  /// How many first bytes tell a picture from a page, so that a wrong body is not fetched to its end.
  static let recognitionBytes = 4_096
  /// How many bytes may come before the room that is left of the disk is looked at again.
  static let bytesBetweenRoomChecks = 8 << 20
  /// How many bytes a body of undeclared length takes of a budget at a time.
  static let budgetPiece = 1 << 20
}
