internal import CCurl
import Models
import Workers

/// Request fields as the list libcurl wants; lives as long as a handle may send them.
final class HeaderFields {
  private(set) var list: UnsafeMutablePointer<curl_slist>?
  /// Whether every field could be written down.
  private(set) var isComplete = true

  init(_ fields: RequestFields, userAgent: String?) {
    userAgent.map { append("User-Agent", $0) }
    append("Accept", fields.accept)
    fields.validators.entityTag.map { append("If-None-Match", $0) }
    fields.validators.lastModified.map { append("If-Modified-Since", $0) }
    if fields.refusesCodings { append("Accept-Encoding", "identity") }
    fields.range.map(append)
  }

  deinit { curl_slist_free_all(list) }

  /// Not as libcurl's own option: that would fail where a server answers with the whole.
  private func append(_ range: NetworkRange) {
    append("Range", "bytes=\(range.offset)-")
    append("If-Range", range.validator)
  }

  private func append(_ name: StaticString, _ value: String) {
    guard let line = HeaderText.line(name, value), let longer = curl_slist_append(list, line) else {
      isComplete = false
      return
    }
    list = longer
  }
}
