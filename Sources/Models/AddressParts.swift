/// The five components of a URI reference (RFC 3986, section 3 and appendix B), as written, for
/// addresses that are taken apart and put together anew.
struct AddressParts {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    let bounds = AddressBounds(text)
    scheme = bounds.scheme.map { String(text[bytes: $0]) }
    authority = bounds.authority.map { String(text[bytes: $0]) }
    path = String(text[bytes: bounds.path])
    query = bounds.query.map { String(text[bytes: $0]) }
    fragment = bounds.fragment.map { String(text[bytes: $0]) }
  }

  /// The components put together again (RFC 3986, section 5.3).
  var text: String {
    var result = ""
    if let scheme { result += scheme + ":" }
    if let authority { result += "//" + authority }
    result += path
    if let query { result += "?" + query }
    if let fragment { result += "#" + fragment }
    return result
  }
}
