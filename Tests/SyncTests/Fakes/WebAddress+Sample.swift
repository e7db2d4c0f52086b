import Models

extension WebAddress {
  static let feed = sample("feed")

  static func sample(_ path: String) -> WebAddress {
    guard let address = WebAddress("https://example.org/\(path)") else {
      preconditionFailure("no address with the path \(path)")
    }
    return address
  }

  static func page(_ name: String) -> WebAddress { sample("page/\(name)") }

  static func thumbnail(_ name: String) -> WebAddress { sample("small/\(name).jpg") }

  static func original(_ name: String) -> WebAddress { sample("large/\(name).jpg") }
}
