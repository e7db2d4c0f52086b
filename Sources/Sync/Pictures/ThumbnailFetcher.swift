import FoundationEssentials
import Models
import PictureFiles
import Workers

/// Fetches one thumbnail, checks that it is a whole picture, and compares it with the stored one.
///
/// A large thumbnail is made smaller, and one that tells where it was taken loses that.
struct ThumbnailFetcher: Sendable {
  let origin: PictureOrigin
  let tools: SyncTools
  /// Lets in one large thumbnail at a time, which bounds the memory while many small ones arrive.
  let largeOnes: AsyncSemaphore
  let signs: SubstituteSigns

  @concurrent
  func fetch(_ wanted: WantedPicture) async -> PictureOutcome {
    let request = request(for: wanted)
    return await outcome(of: Result(of: try await tools.network.fetch(request)), to: wanted)
  }

  /// The outcome of an answer to `request(for:)`; nil for a large thumbnail, or one that has to be drawn.
  ///
  /// Those need `outcome(of:to:)`, which takes longer.
  func outcomeAtOnce(
    of answer: Result<NetworkReply, NetworkError>,
    to wanted: WantedPicture
  ) async -> PictureOutcome? {
    switch answer {
    case .failure(let error):
      if isTooLarge(error) || mayBeAnother(.network(error), wanted) { return nil }
      return PictureOutcome(wanted: wanted, result: .failed(.network(error)))
    case .success(let reply):
      do throws(Failure) {
        let finding = try await finding(in: reply, to: wanted)
        var other: ThumbnailFile?
        if case .picture(let info, _) = finding {
          if tools.isToBeShrunk(reply.body, info) { return nil }
          switch PlaceFinding(in: reply.body) {
          case .none: break
          case .removable(let copy, _): other = ThumbnailFile(info: info, bytes: copy)
          case .notRemovable: return nil
          }
        }
        let result = try await result(of: finding, reply, to: wanted, storing: other)
        let outcome = PictureOutcome(wanted: wanted, result: result, wireBytes: reply.wireBytes)
        return signs.maySuspect(outcome, of: origin) ? nil : outcome
      } catch {
        if mayBeAnother(error, wanted) { return nil }
        return PictureOutcome(wanted: wanted, result: .failed(error), wireBytes: reply.wireBytes)
      }
    }
  }

  /// The outcome of an answer to `request(for:)`, or that of another rendition if the thumbnail cannot be had.
  @concurrent
  func outcome(
    of answer: Result<NetworkReply, NetworkError>,
    to wanted: WantedPicture
  ) async -> PictureOutcome {
    let outcome = await ownOutcome(of: answer, to: wanted)
    guard case .failed(let failure) = outcome.result, mayBeAnother(failure, wanted),
      let others = try? await tools.store.renditions(imageID: wanted.imageID)
    else { return await signs.unmasked(outcome, of: origin) { await ask($0) } }
    return await outcomeOfOther(in: others, insteadOf: outcome)
  }

  /// Requests a thumbnail whose host may have sent a sign in its place.
  func ask(_ wanted: WantedPicture) async -> PictureOutcome {
    let request = request(for: wanted)
    return await ownOutcome(of: Result(of: try await tools.network.fetch(request)), to: wanted)
  }

  private func ownOutcome(
    of answer: Result<NetworkReply, NetworkError>,
    to wanted: WantedPicture
  ) async -> PictureOutcome {
    switch answer {
    case .success(let reply): await outcome(of: reply, to: wanted)
    case .failure(let error) where isTooLarge(error): await fetchLarge(wanted)
    case .failure(let error): PictureOutcome(wanted: wanted, result: .failed(.network(error)))
    }
  }

  /// Whether another rendition may be the thumbnail; none takes the place of a stored one.
  private func mayBeAnother(_ failure: Failure, _ wanted: WantedPicture) -> Bool {
    failure.allowsOtherRendition && wanted.held == nil
  }

  /// The outcome of the next larger rendition that can be had, as if it were the thumbnail; else of the last one.
  private func outcomeOfOther(
    in others: [WebAddress],
    insteadOf first: PictureOutcome
  ) async -> PictureOutcome {
    var last = first
    for address in others.reversed() where address.identity != first.wanted.address.identity {
      guard case .failed(let failure) = last.result, failure.allowsOtherRendition else { break }
      var wanted = first.wanted
      wanted.address = address
      let request = request(for: wanted)
      var other = await ownOutcome(
        of: Result(of: try await tools.network.fetch(request)),
        to: wanted
      )
      other.wireBytes += last.wireBytes
      other.wanted = first.wanted
      if case .new(var thumbnail) = other.result {
        // Its validators say nothing about the thumbnail's own address, which is asked for when a check is due.
        (thumbnail.address, thumbnail.validators) = (first.wanted.address, Validators())
        other.result = .new(thumbnail)
      }
      last = other
    }
    if case .failed(let failure) = last.result, failure.allowsOtherRendition {
      last.result = first.result
    }
    return last
  }

  private func isTooLarge(_ error: NetworkError) -> Bool {
    error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes)
  }

  private func fetchLarge(_ wanted: WantedPicture) async -> PictureOutcome {
    await largeOnes.wait()
    do throws(NetworkError) {
      let request = request(for: wanted, limit: SyncLimits.thumbnailBytes)
      let reply = try await tools.network.fetch(request)
      var outcome = await outcome(of: reply, to: wanted)
      outcome.isLarge = outcome.byteCount > SyncLimits.smallThumbnailBytes
      if !outcome.isLarge { largeOnes.signal() }
      return outcome
    } catch {
      largeOnes.signal()
      return PictureOutcome(wanted: wanted, result: .failed(.network(error)))
    }
  }

  /// The request for a thumbnail.
  ///
  /// The first request refuses a large thumbnail, which is requested again when `largeOnes` lets it in.
  func request(
    for wanted: WantedPicture,
    limit: Int = SyncLimits.smallThumbnailBytes
  ) -> NetworkRequest {
    var request = NetworkRequest(
      address: wanted.address,
      reach: origin.reach,
      validators: wanted.held ?? Validators(),
      accept: AcceptField.pictures,
      byteLimit: limit,
      fileFolder: origin.fileFolder,
      timeLimit: SyncLimits.thumbnailTime,
      feedKey: origin.feedKey
    )
    (request.feed, request.page) = (origin.feed, wanted.page ?? wanted.address)
    request.referer = wanted.referer ?? signs.referer(of: origin)
    return request
  }

  private func outcome(of reply: NetworkReply, to wanted: WantedPicture) async -> PictureOutcome {
    do throws(Failure) {
      let finding = try await finding(in: reply, to: wanted)
      var other: ThumbnailFile?
      if case .picture(let info, _) = finding {
        other = try await tools.replacement(for: reply.body, info)
      }
      let result = try await result(of: finding, reply, to: wanted, storing: other)
      return PictureOutcome(wanted: wanted, result: result, wireBytes: reply.wireBytes)
    } catch {
      return PictureOutcome(wanted: wanted, result: .failed(error), wireBytes: reply.wireBytes)
    }
  }

  /// The meaning of a reply, before another file takes the place of a picture in it.
  private enum Finding {
    /// The stored thumbnail is valid, and has these validators from now on.
    case unchanged(Validators, hasComeAgain: Bool)
    case picture(PictureInfo, isChange: Bool)
  }

  private func finding(
    in reply: NetworkReply,
    to wanted: WantedPicture
  ) async throws(Failure) -> Finding {
    // A 304 is valid only if the request had validators.
    if reply.header.status == 304, let held = wanted.held, !held.isEmpty {
      let validators = reply.header.validators.completed(by: held)
      return .unchanged(validators, hasComeAgain: false)
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let info = try info(of: reply)
    guard wanted.held != nil else { return .picture(info, isChange: false) }
    if try await isStored(reply.body, of: wanted) {
      return .unchanged(reply.header.validators, hasComeAgain: true)
    }
    return .picture(info, isChange: true)
  }

  private func result(
    of finding: Finding,
    _ reply: NetworkReply,
    to wanted: WantedPicture,
    storing other: ThumbnailFile?
  ) async throws(Failure) -> PictureOutcome.Result {
    switch finding {
    case .unchanged(let validators, let hasComeAgain):
      var picture = wanted.unchanged(reply.header, validators, tools.now())
      if hasComeAgain { picture.repeatedSHA256 = try tools.hash(of: reply.body) }
      return .unchanged(picture)
    case .picture(let info, let isChange):
      // A picture that does change under its address may soon change again, no matter when the image was published.
      let since = isChange ? tools.now() : wanted.since
      let thumbnail = try thumbnail(wanted, reply, info, since: since, storing: other)
      return try await tools.judged(thumbnail, .thumbnail, reply.header, wanted)
    }
  }

  /// Whether these bytes are stored, or the stored thumbnail was made from them.
  private func isStored(_ bytes: [UInt8], of wanted: WantedPicture) async throws(Failure) -> Bool {
    let (store, id) = (tools.store, wanted.imageID)
    if let source = try await Failure.ofStore(await store.thumbnailSource(imageID: id)) {
      return try source == tools.hash(of: bytes)
    }
    return try await Failure.ofStore(await store.thumbnailBytes(imageID: id)) == bytes
  }

  private func thumbnail(
    _ wanted: WantedPicture,
    _ reply: NetworkReply,
    _ info: PictureInfo,
    since: Date,
    storing other: ThumbnailFile?
  ) throws(Failure) -> FetchedThumbnail {
    let now = tools.now()
    let source = other == nil ? nil : try tools.hash(of: reply.body)
    return FetchedThumbnail(
      imageID: wanted.imageID,
      address: wanted.address,
      validators: reply.header.validators,
      info: other?.info ?? info,
      bytes: other?.bytes ?? reply.body,
      fetched: now,
      checkDate: reply.header.checkDate(since: since, now: now),
      sourceSHA256: source
    )
  }

  /// The info of the picture in a reply; a body of undeclared length is whole only if its format says so.
  ///
  /// Of a body with its declared length, the decoder finds out whether only the end marker is missing.
  private func info(of reply: NetworkReply) throws(Failure) -> PictureInfo {
    guard let check = PictureCheck(reply.body) else {
      throw .notAPicture(looksLike: ContentKind(reply.body).noun)
    }
    let isDeclared = reply.header.contentLength != nil
    let isAccepted =
      switch check.completeness {
      case .whole: true
      case .unknown: isDeclared
      case .cut: isDeclared && tools.imaging != nil && SyncTools.lacksOnlyEnd(reply.body)
      }
    guard isAccepted else { throw .cutPicture(check.info.format) }
    return check.info
  }
}

extension Validators {
  /// Completes the validators of a 304, which need not repeat those that it does not renew (RFC 9110, section 15.4.5).
  func completed(by stored: Validators) -> Validators {
    Validators(
      entityTag: entityTag ?? stored.entityTag,
      lastModified: lastModified ?? stored.lastModified
    )
  }
}
