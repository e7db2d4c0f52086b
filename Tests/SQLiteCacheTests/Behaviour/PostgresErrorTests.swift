import Store
import Testing
import Workers

struct PostgresErrorTests {
  // 42P05 is duplicate_prepared_statement, and 26000 invalid_sql_statement_name.
  @Test(arguments: ["42P05", "26000"])
  func `An error that only a pooler causes says what to set`(state: String) {
    let error = PostgresError("prepared statement \"s0\" …", state: state).storeError("db")

    #expect(error.message.contains("pool_mode = session"))
    #expect(error.reason == .other)
  }

  @Test(arguments: ["42P01", "42P07", "42501", "40001", "XX001", "08006", ""])
  func `Another error says what the server says`(state: String) {
    let error = PostgresError("as it is", state: state).storeError("db")

    #expect(error.message == "as it is")
  }
}
