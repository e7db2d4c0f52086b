import FoundationEssentials
import LibraryFiles
import Logging
package import Models
import Sync
package import Workers

/// The workers that the server uses by themselves, without a scene.
extension CompositionRoot {
  /// The decoders, for pictures in other sizes.
  package var renderer: any ImageDecoding & PictureRendering { decoders }

  /// The library, for clients that follow its changes.
  package var changes: any ChangeFollowing { store }

  /// SHA-256 in lower-case hexadecimal digits.
  package static func sha256(of bytes: [UInt8]) throws(StoreError) -> String {
    try SHA256.ofThumbnail(bytes)
  }

  /// Notes that somebody looked at a stored original.
  package func noteLook(at original: StoredOriginal) async {
    await store.noteLook(atOriginal: original.sha256, now: Date())
  }

  /// An image whose original, with this hash, the object store alone has.
  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    objects == nil ? nil : try await store.image(withAwayOriginal: hash)
  }

  /// Brings an original to this disk that the object store alone has; does nothing for another one.
  package func bringBack(_ hash: SHA256Digest) async {
    guard let id = try? await image(withAwayOriginal: hash) else { return }
    await originalWorker.bringBack(imageID: id)
  }

  /// Where a client gets an original from the object store, for a quarter of an hour; nil without one.
  package func objectAddress(of hash: SHA256Digest) -> WebAddress? {
    objects?.address(of: hash, for: .seconds(900))
  }

  /// Scheme and host of those addresses (RFC 6454, section 6.2).
  package var objectOrigin: String? {
    objectAddress(of: SHA256Digest(words: .zero)).map { "\($0.scheme)://\($0.authority ?? "")" }
  }

  /// Gives stored thumbnails their colours, one at a time and with pauses, so that nothing else waits for it.
  ///
  /// - Parameter pause: How long it rests before each few.
  /// - Returns: False when there is no decoder.
  package func fillColours(pause: Duration) async -> Bool {
    do throws(Failure) {
      // A pause that a cancellation cuts short is the last.
      try await colourFiller.fill(atOnce: 1) { (try? await Task.sleep(for: pause)) != nil }
      return true
    } catch .imaging(let error) {
      return !error.isOfDecoder
    } catch {
      return true
    }
  }

  // MARK: Subscriptions at hubs (WebSub)

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
      store: store,
      network: network,
      callbacks: callbacks,
      // From getrandom(2).
      secrets: { SHA256Digest(words: .random(in: .min ... .max)).hexadecimal },
      now: { Date() },
      log: { [logger = settings.logger] line in logger?.info("\(line)") }
    )
  }

  /// Ends all subscriptions without telling their hubs.
  package func forgetSubscriptions() async { await Subscriber.forgetAll(in: store) }
}
