import FoundationEssentials
import Models
import Workers

/// What a camera has written about a picture.
extension Wording {
  /// The lines about it; none where nothing is known.
  static func fields(of details: PictureDetails?) -> [(String, String?)] {
    guard let details else { return [] }
    return [
      ("camera", details.camera),
      ("lens", details.lens),
      ("exposure", exposure(details)),
      ("taken", details.taken.map(clock)),
      ("place", details.place.map(place)),
    ]
  }

  /// The exposure: "1/250 s, f/2.8, ISO 200, 35 mm"; nil when none of it is known.
  static func exposure(_ details: PictureDetails) -> String? {
    let parts = [
      details.exposure.map(exposureTime), details.aperture.map { "f/\(hundredths($0))" },
      details.sensitivity.map { "ISO \($0)" }, details.focalLength.map { "\(hundredths($0)) mm" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// An exposure time as cameras show it: a fraction of a second, or from 0.3 seconds on, seconds.
  private static func exposureTime(_ nanoseconds: Int64) -> String {
    let second: Int64 = 1_000_000_000
    if nanoseconds < 300_000_000 { return "1/\((second + nanoseconds / 2) / nanoseconds) s" }
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return "\(hundredths(tenths * 10)) s"
  }

  /// A number of hundredths, without zeros at the end: "2.8", "35".
  private static func hundredths(_ number: Int64) -> String {
    let (whole, rest) = number.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// A time on the camera's clock: "2019-07-14 18:02:33 +02:00", or without the offset where it is not known.
  static func clock(_ taken: DateTaken) -> String {
    let offset = taken.offset.map { " \(Self.offset($0))" } ?? ""
    return time(taken).replacing("T", with: " ") + offset
  }

  /// A time on the camera's clock as ISO 8601: "2019-07-14T18:02:33+02:00".
  static func timestamp(_ taken: DateTaken) -> String {
    time(taken) + (taken.offset.map(offset) ?? "")
  }

  private static func time(_ taken: DateTaken) -> String {
    String(timestamp(Date(storedSeconds: taken.seconds)).dropLast())
  }

  private static func offset(_ minutes: Int64) -> String {
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    let digits = [hours, rest].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(minutes < 0 ? "-" : "+")\(digits.joined(separator: ":"))"
  }

  /// A place: "48.85837° N, 2.29448° E".
  static func place(_ place: PicturePlace) -> String {
    let latitude = "\(degrees(place.latitude)) \(place.latitude < 0 ? "S" : "N")"
    return "\(latitude), \(degrees(place.longitude)) \(place.longitude < 0 ? "W" : "E")"
  }

  /// Millionths of a degree to five places, which is about a metre.
  private static func degrees(_ millionths: Int64) -> String {
    let (whole, rest) = ((abs(millionths) + 5) / 10).quotientAndRemainder(dividingBy: 100_000)
    return "\(whole).\(String(100_000 + rest).dropFirst())°"
  }
}
