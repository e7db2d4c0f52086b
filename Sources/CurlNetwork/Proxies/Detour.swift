import Models

/// A redirect that we follow with a try of its own, because the way there differs: with a proxy
/// instead of without, or the other way round.
///
/// What is kept of the request is what a redirect keeps: no login, since the origin is another.
struct Detour {
  let place: WebAddress
  /// How many redirects there have been, this one included.
  let redirects: Int
  let permanentPlace: WebAddress?
  let isPermanent: Bool
}
