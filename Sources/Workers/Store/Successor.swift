package import FoundationEssentials
package import Models

/// A reason why a picture that came in the place of a stored one may not be the same picture.
///
/// The store keeps the raw values.
package enum SuccessorDoubt: String, Sendable, CaseIterable {
  /// Its address says that it is a sign, such as `removed.png`.
  case sign
  /// It came by a redirect that was not there before.
  case redirected
  /// Other images, under other addresses, have the same bytes.
  case shared
  /// It has less than a quarter of the area.
  case smaller
  case otherFormat
  /// Its proportions differ.
  case otherShape
  /// The image is pinned, so its original is not replaced.
  case pinned
  /// The image has left its feed, so its original is not replaced.
  case unlisted
}

/// A picture that is stored, as far as that matters for replacing it by another one.
package struct HeldPicture: Sendable, Equatable {
  package var info: PictureInfo
  /// The address from which it was fetched.
  package var address: WebAddress
  /// Whether it was last reached by a redirect.
  package var isRedirected = false
  /// Whether it is the original of a pinned image.
  package var isPinned = false
  /// Whether the feed's documents still list the image.
  package var isListed = true
  /// Whether the feed still names it, in whatever form its address is signed now.
  package var isNamed = true
  /// SHA-256 of the successor that is kept beside it, in lower-case hexadecimal digits; nil without one.
  package var successor: String?
  /// The reasons why that successor may not be the same picture.
  package var successorDoubts: [SuccessorDoubt] = []
  /// The addresses under which other images have the bytes of the other picture.
  package var others: [WebAddress] = []
  /// The images whose pictures those bytes have replaced lately, with the addresses from which they came.
  ///
  /// Images that had this picture before, too, are left out: they show the same picture under two addresses.
  package var replaced: [Int64: WebAddress] = [:]

  package init(info: PictureInfo, address: WebAddress) {
    (self.info, self.address) = (info, address)
  }

  /// Whether the successor was kept beside it only for reasons that have ended since.
  package var mayTakeSuccessor: Bool {
    !successorDoubts.isEmpty
      && successorDoubts.allSatisfy { doubt in
        switch doubt {
        case .pinned: !isPinned
        case .unlisted: isListed
        case .sign, .redirected, .shared, .smaller, .otherFormat, .otherShape: false
        }
      }
  }
}

/// A newer picture that is kept beside a stored one, because it may not be the same picture.
package struct Successor: Sendable, Equatable {
  /// A thumbnail, named or made, or an original.
  package var kind: PictureKind
  package var info: PictureInfo
  /// SHA-256 of its bytes, in lower-case hexadecimal digits.
  package var sha256: String
  /// The address that was requested.
  package var address: WebAddress
  /// When it arrived.
  package var arrived: Date
  package var doubts: [SuccessorDoubt]
  /// The bytes of a thumbnail, or the file of an original.
  package var source: PictureSource

  package init(
    kind: PictureKind,
    info: PictureInfo,
    sha256: String,
    address: WebAddress,
    arrived: Date,
    doubts: [SuccessorDoubt],
    source: PictureSource
  ) {
    self.kind = kind
    self.info = info
    self.sha256 = sha256
    self.address = address
    self.arrived = arrived
    self.doubts = doubts
    self.source = source
  }
}
