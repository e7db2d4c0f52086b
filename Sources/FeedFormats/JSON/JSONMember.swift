/// A name and what it stands for in an object of JSON.
struct JSONMember: Equatable {
  let key: String
  let value: JSONValue
}
