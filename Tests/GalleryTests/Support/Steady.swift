import TestSupport

/// What differs from run to run made the same, so that whole outputs can be compared.
func steady(_ text: String, site: PhotoSite) -> String {
  text.replacing("127.0.0.1:\(site.server.port)", with: "site")
    .replacing(/"bytes":\d+,"seconds":[\d.]+/, with: "\"bytes\":B,\"seconds\":S")
    .replacing(/[\d.]+ (?:[KM]i)?B in [\d.]+ s/, with: "SIZE in TIME")
    .replacing(/2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?=[\t"])/, with: { date($0.output) })
}

/// The feed's own dates are kept; today's are not.
private func date(_ text: Substring) -> String {
  text.hasSuffix("T08:00:00Z") ? String(text) : "NOW"
}
