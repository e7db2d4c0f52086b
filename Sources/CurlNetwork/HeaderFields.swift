internal import CCurl
import Models

/// The request fields of a transfer, as the list libcurl wants; lives as long as the transfer.
final class HeaderFields {
  private(set) var list: UnsafeMutablePointer<curl_slist>?
  /// Whether every field could be written down.
  private(set) var isComplete = true

  init(accept: String, validators: Validators) {
    append("Accept", accept)
    validators.entityTag.map { append("If-None-Match", $0) }
    validators.lastModified.map { append("If-Modified-Since", $0) }
  }

  deinit { curl_slist_free_all(list) }

  private func append(_ name: StaticString, _ value: String) {
    guard let line = HeaderText.line(name, value), let longer = curl_slist_append(list, line) else {
      isComplete = false
      return
    }
    list = longer
  }
}
