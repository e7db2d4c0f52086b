import FoundationEssentials
import LibraryFiles
package import Logging
package import Models
import Sync
package import Workers

/// The workers that the server uses directly, without a scene.
extension CompositionRoot {
  /// The decoders, for renderings in other sizes.
  package var renderer: any ImageDecoding & PictureRendering { decoders }

  /// Reads what cameras have written into pictures.
  package var detailsDecoder: any DetailsDecoding { decoders }

  /// The library, for clients that follow its change log.
  package var changes: any ChangeFollowing { store }

  /// The log of the server; nil for none.
  package var log: Logger? { settings.logger }

  /// The key pair of the library.
  package var keys: any LibraryKeyKeeping { store }

  /// SHA-256 in lower-case hexadecimal digits.
  package static func sha256(of bytes: [UInt8]) throws(StoreError) -> String {
    try SHA256.ofThumbnail(bytes)
  }

  /// The HMAC-SHA-256 of a message, 32 bytes.
  package static func messageCode(
    of message: [UInt8],
    key: [UInt8]
  ) throws(StoreError) -> [UInt8] {
    try HMAC.sha256(of: message, key: key)
  }

  /// Records that a stored original was viewed.
  package func noteLook(at original: StoredOriginal) async {
    await store.noteLook(atOriginal: original.sha256, now: Date())
  }

  /// An image whose original has this hash and is only in the object store.
  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    objects == nil ? nil : try await store.image(withAwayOriginal: hash)
  }

  /// Brings an original that is only in the object store back to this disk; does nothing for any other original.
  package func bringBack(_ hash: SHA256Digest) async {
    guard let id = try? await image(withAwayOriginal: hash) else { return }
    await originalWorker.bringBack(imageID: id)
  }

  /// The address of an original in the object store, valid for a quarter of an hour; nil without an object store.
  package func objectAddress(of hash: SHA256Digest) -> WebAddress? {
    objects?.address(of: hash, for: .seconds(900))
  }

  /// The scheme and host of these addresses (RFC 6454, section 6.2).
  package var objectOrigin: String? {
    objectAddress(of: SHA256Digest(words: .zero)).map { "\($0.scheme)://\($0.authority ?? "")" }
  }

  /// Computes missing colours of stored thumbnails, one at a time and with pauses, so that other work is not delayed.
  ///
  /// - Parameter pause: The pause before each step.
  /// - Returns: False when the decoder cannot be used.
  package func fillColours(pause: Duration) async -> Bool {
    do throws(Failure) {
      // A pause that is cut short by cancellation is the last.
      try await colourFiller.fill(atOnce: 1) { (try? await Task.sleep(for: pause)) != nil }
      return true
    } catch .imaging(let error) {
      return !error.isOfDecoder
    } catch {
      return true
    }
  }

  // MARK: Subscriptions at hubs (WebSub)

  /// A checker for the signature of a hub's delivery; nil for a signature in another form (`HMAC`).
  package static func signature(
    _ signature: String,
    secret: String
  ) -> (any SignatureChecking)? {
    HMAC(signature: signature, secret: secret)
  }

  /// The worker that subscribes to feeds at hubs; `callbacks` is the address below which hubs reach the callbacks.
  package func subscriber(callbacks: WebAddress) -> any Subscribing {
    Subscriber(
      store: store,
      network: network,
      callbacks: callbacks,
      // The random bytes come from getrandom(2).
      secrets: { SHA256Digest(words: .random(in: .min ... .max)).hexadecimal },
      now: clock,
      log: { [logger = settings.logger] line in logger?.info("\(line)") }
    )
  }

  /// Ends all subscriptions without a request to their hubs.
  package func forgetSubscriptions() async { await Subscriber.forgetAll(in: store) }
}
