import Testing
import Workers

@testable import Scenes

struct CheckingWordingTests {
  private static let file = CheckedThing.file(path: "/library/partial")
  private static let original = CheckedThing.original(path: "/library/a.jpg", imageIDs: [7])

  private static func unreadable(_ path: String) -> CheckFinding.Condition {
    .unreadable(StoreError(reason: .forbidden, path: path, message: "Permission denied"))
  }

  private static func refused(_ reason: StoreError.Reason) -> CheckFinding.Condition {
    .unreadable(StoreError(reason: reason, path: "s3://a", message: "AccessDenied"))
  }

  private static let findings: [(CheckFinding, HintedText)] = [
    (
      CheckFinding(original, .damaged(.notAFile)),
      "* original of 7, '/library/a.jpg': it is not a file of its own any more"
    ),
    (CheckFinding(file, unreadable("/library/partial")), "! '/library/partial': permission denied"),
    (
      CheckFinding(original, unreadable("/library/a.jpg")),
      "! original of 7, '/library/a.jpg': permission denied"
    ),
    (
      CheckFinding(.object(name: "s3://a", imageIDs: []), refused(.objectsRefused(status: 403))),
      "! 's3://a' answers 403 (forbidden), AccessDenied"
    ),
    (
      CheckFinding(
        .object(name: "s3://a", imageIDs: []),
        refused(.objectsRefusedClock(ahead: 3_660))
      ),
      "! 's3://a' refuses, because the clock of this machine is 1 h 1 min ahead of that of the store"
    ),
    (
      CheckFinding(.database, unreadable("/library/gallery.sqlite")),
      "! the database: '/library/gallery.sqlite' cannot be read: permission denied"
    ),
  ]

  @Test(arguments: findings)
  func `tells what is wrong, and names its path once`(_ finding: CheckFinding, _ note: HintedText) {
    #expect(Wording.note(.found(finding)) == note)
  }

  @Test func `says that a database was repaired, and how`() {
    let text: HintedText = "= the database: its indexes were built again, and it is sound"
    #expect(Wording.note(.repaired(.database)) == text)
  }
}
