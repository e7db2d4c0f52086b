import FoundationEssentials
import LibraryFiles
import Logging
package import Models
import SQLiteCache
import Sync
package import Workers

/// Subscriptions at hubs (WebSub).
extension CompositionRoot {
  /// Whether a signature is that of a delivery of a hub; nil for a signature of another form (`HMAC`).
  package static func signature(
    _ signature: String,
    secret: String
  ) -> (any SignatureChecking)? {
    HMAC(signature: signature, secret: secret)
  }

  /// Subscribes feeds at hubs, which reach the program at the address before the paths of its callbacks.
  package func subscriber(callbacks: WebAddress) -> any Subscribing {
    Subscriber(
      library: store,
      store: store,
      network: network,
      callbacks: callbacks,
      secrets: Self.randomDigits,
      now: { Date() },
      log: { [logger] line in logger?.info("\(line)") }
    )
  }

  /// Ends all subscriptions without telling their hubs.
  package func forgetSubscriptions() async { await Subscriber.forgetAll(in: store) }

  /// 64 hexadecimal digits, from 32 random bytes (getrandom(2)).
  private static func randomDigits() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
