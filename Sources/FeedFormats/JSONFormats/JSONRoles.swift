/// Remembers the roles of the names that a document uses: all its entries use the same few.
struct JSONRoles {
  private var known: [String: JSONRole?] = [:]

  mutating func role(of name: String) -> JSONRole? {
    if let role = known[name] { return role }
    let role = JSONRole(name: name)
    if known.count < FormatLimits.rememberedNames { known[name] = .some(role) }
    return role
  }
}
