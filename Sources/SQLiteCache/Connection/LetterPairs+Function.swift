import GRDB
import Workers

extension LetterPairs {
  /// Adds the SQL function with which the index's view makes its text.
  static func addFunction(to db: Database) {
    db.add(
      function: DatabaseFunction("letter_pairs", argumentCount: 3, pure: true) { values in
        let texts = values.map(String.fromDatabaseValue)
        return index(of: texts[0], texts[1], texts[2])
      }
    )
  }
}
