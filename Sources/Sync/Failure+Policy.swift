import FoundationEssentials
import Models
import Workers

extension Failure {
  /// Calls the store, and turns its error into a failure.
  static func ofStore<Answer>(
    _ answer: @autoclosure () async throws(StoreError) -> Answer
  ) async throws(Failure) -> Answer {
    do { return try await answer() } catch { throw .store(error) }
  }

  /// Calls a store that may have no library yet; returns `nothing` without one.
  static func ofStore<Answer>(
    _ answer: @autoclosure () async throws(StoreError) -> Answer,
    withoutLibrary nothing: Answer
  ) async throws(Failure) -> Answer {
    do {
      return try await answer()
    } catch  where error.reason == .noLibrary {
      return nothing
    } catch {
      throw .store(error)
    }
  }

  /// Calls a parser, and turns its error into a failure.
  static func ofFeed<Value>(
    _ value: @autoclosure () throws(FeedError) -> Value
  ) throws(Failure) -> Value {
    do { return try value() } catch { throw .feed(error) }
  }

  /// Calls the network, and turns its error into a failure.
  static func ofNetwork<Answer>(
    _ answer: @autoclosure () async throws(NetworkError) -> Answer
  ) async throws(Failure) -> Answer {
    do { return try await answer() } catch { throw .network(error) }
  }
}

/// The meaning of a failure for a sync, which continues.
extension Failure {
  /// A file of a folder that is missing, or is another one than the last sync of the folder has read.
  static func notInPlace(_ address: WebAddress) -> Failure {
    let message = "it is missing, or has changed since the last sync of its folder"
    return .network(NetworkError(reason: .unreadableFile, address: address, message: message))
  }

  /// Whether a body broke off, so that a retry may succeed.
  var isBreak: Bool {
    guard case .network(let error) = self else { return false }
    return error.reason == .broken || error.reason == .timedOut
  }

  /// Whether a body does not have the compression that its header names, or the network reads only a part of it.
  var isBadEncoding: Bool {
    if case .network(let error) = self { error.cause == .badEncoding } else { false }
  }

  /// Whether the answer is not the feed's document at all, so that it changes nothing that is stored.
  var isOtherDocument: Bool {
    switch self {
    case .feed(.notAFeed), .feed(.replaced), .feed(.emptyFolder): true
    default: false
    }
  }

  /// The failure without offers of the feed itself, which a page may name that stands at the feed's address.
  func offering(without feed: Feed?) -> Failure {
    guard case .feed(.replaced(let former, let kind, let offers)) = self, let feed else {
      return self
    }
    return .feed(.replaced(former, by: kind, offers: offers.filter { !feed.has($0) }))
  }

  /// Whether the content is useless, so that no part of it is kept.
  var isUselessContent: Bool {
    switch self {
    case .notAPicture, .cutPicture: true
    case .network(let error): if case .tooLarge = error.reason { true } else { false }
    default: false
    }
  }

  /// Whether another rendition of a picture may be asked for: the server refuses this one, or it is broken.
  ///
  /// After an error that may soon be over, the same one is asked for later.
  var allowsOtherRendition: Bool {
    if case .cutPicture = self { true } else { [.permanent, .forbidden].contains(pictureClass) }
  }

  /// Whether the server refuses an address that may have been signed for a limited time.
  var refusesAddress: Bool {
    switch self {
    case .status(401), .status(403), .status(410): true
    default: false
    }
  }

  /// Whether a feed has reached a limit, so that no more is requested from it.
  var isBeyondBound: Bool {
    if case .feed(.beyondBound) = self { true } else { false }
  }

  /// Whether a document exceeds a limit, so that it is requested less and less often.
  var isExcess: Bool {
    switch self {
    case .feed(.beyondBound), .feed(.beyondLimit): true
    case .network(let error): if case .tooLarge = error.reason { true } else { false }
    default: false
    }
  }

  /// Whether the original only lacks room within the bounds of the library.
  var isOfBounds: Bool { if case .store(let error) = self { error.isOfBounds } else { false } }

  /// Whether all originals together take the room that they may, so that another one has none, either.
  var lacksRoomForAll: Bool {
    if case .store(let error) = self, case .bounded = error.reason { true } else { false }
  }

  /// The end of the host's pause; nil for every other failure.
  var pausedUntil: Date? {
    guard case .network(let error) = self, case .paused(let date) = error.reason else { return nil }
    return date
  }
}

extension FailedPicture {
  /// The record of a failure in the store; nil for a failure that does not concern the picture itself.
  init?(_ failure: Failure, imageID: Int64, address: WebAddress, reason: String, now: Date) {
    guard let failureClass = failure.pictureClass else { return nil }
    self.init(
      imageID: imageID,
      address: address,
      failureClass: failureClass,
      reason: reason,
      failed: now,
      pausedUntil: failure.pausedUntil
    )
  }
}
