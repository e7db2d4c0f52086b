/// What is asked for in `Accept` (RFC 9110, section 12.5.1).
package enum AcceptField {
  static let feeds = """
    application/feed+json, application/atom+xml, application/rss+xml, application/json;q=0.9, \
    application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5
    """
  static let pictures = "image/*, */*;q=0.5"
}
