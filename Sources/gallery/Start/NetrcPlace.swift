/// Where logins for hosts are: `$NETRC`, as curl has it since 8.16, else `~/.netrc`.
struct NetrcPlace {
  /// nil when there is no home.
  let path: String?

  init(environment: [String: String]) {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.netrc" }
    path = environment["NETRC"].flatMap { $0.isEmpty ? nil : $0 } ?? home
  }
}
