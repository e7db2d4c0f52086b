import FoundationEssentials
import Models
import Workers

/// Fetches the pictures that a gallery has and its copy lacks, by their hashes.
///
/// A picture that the gallery does not send, or whose bytes do not match its hash, waits for the next sync.
struct MirroredPictures {
  let client: GalleryClient
  let store: any MirrorStoring
  let shared: SharedSync

  // MARK: Thumbnails

  func fetchThumbnails(
    _ counts: inout TransferCounts,
    _ problems: inout [SyncProblem]
  ) async throws(Failure) {
    var failed: Set<Int64> = []
    while true {
      let limit = SyncLimits.mirroredThumbnailsPerLook + failed.count
      let missing = try await Failure.ofStore(
        await store.wantedThumbnails(from: client.gallery.base, limit: limit),
        withoutLibrary: []
      )
      let wanted = missing.filter { !failed.contains($0.imageID) }
      if wanted.isEmpty { return }
      shared.progress.update { $0.thumbnails.total += wanted.count }
      var keeper = MirroredThumbnails(client.tools, shared.progress)
      let run = PackPlan(wanted)
      var singles = run.singles
      for pack in run.packs { singles += try await fetch(pack, into: &keeper) }
      try await fetch(singles, into: &keeper)
      try await keeper.store()
      counts.stored += keeper.stored
      counts.failed += keeper.problems.count
      failed.formUnion(keeper.failed)
      problems += keeper.problems
      for problem in keeper.problems { shared.teller.yield(.problem(problem)) }
    }
  }

  /// Reads thumbnails from a pack as it arrives, and returns those that the pack does not have.
  private func fetch(
    _ pack: PackPlan.Pack,
    into keeper: inout MirroredThumbnails
  ) async throws(Failure) -> [MirroredThumbnail] {
    var request = NetworkRequest(
      address: client.gallery.pack(pack.hash) ?? client.gallery.base,
      reach: client.networkReach,
      byteLimit: SyncLimits.packBytes,
      feedKey: client.gallery.base.hashValue
    )
    if pack.range.lowerBound > 0 {
      let tag = "\"\(pack.hash.hexadecimal)\""
      request.range = NetworkRange(offset: pack.range.lowerBound, validator: tag)
    }
    do throws(Failure) {
      let response = try await Failure.ofNetwork(await client.tools.network.open(request))
      defer { client.note(wireBytes: response.body.wireBytes) }
      var reader: PackReader
      switch response.header.status {
      case 200: reader = PackReader(response.body, from: 0)
      case 206 where response.header.contentRange?.bytes?.lowerBound == pack.range.lowerBound:
        reader = PackReader(response.body, from: pack.range.lowerBound)
      default: return pack.thumbnails
      }
      var others: [MirroredThumbnail] = []
      for thumbnail in pack.thumbnails {
        let bytes = try await reader.bytes(of: thumbnail)
        if try await !keeper.take(bytes ?? [], of: thumbnail) { others.append(thumbnail) }
      }
      return others
    } catch .network(let error) where error.reason != .cancelled {
      // Thumbnails that have arrived are done. The others are requested once more, and fail if the gallery cannot be
      // reached.
      return pack.thumbnails.filter { !keeper.has($0) }
    }
  }

  /// Fetches thumbnails outside of packs: several with one request, and then those that it did not bring, one by one.
  private func fetch(
    _ thumbnails: [MirroredThumbnail],
    into keeper: inout MirroredThumbnails
  ) async throws(Failure) {
    var waiting = ThumbnailBatch.all(
      of: thumbnails,
      atMost: client.gallery.isStatic ? 1 : SyncLimits.thumbnailsPerRequest
    )[...]
    let failure: Failure? = await withTaskGroup(of: Arrival.self) { group in
      var bytes = 0
      while true {
        while let batch = waiting.first, bytes == 0 || bytes < SyncLimits.mirroredBytesAtOnce {
          group.addTask { await (batch, reply(to: batch)) }
          bytes += batch.bytes
          waiting.removeFirst()
        }
        guard let arrival = await group.next() else { return nil }
        bytes -= arrival.batch.bytes
        do throws(Failure) {
          waiting += try await take(arrival, into: &keeper)
        } catch {
          group.cancelAll()
          return error
        }
      }
    }
    if let failure { throw failure }
  }

  private typealias Arrival = (batch: ThumbnailBatch, reply: Result<NetworkReply, Failure>)

  /// Takes the pictures of a response, and returns batches for those to request one by one.
  private func take(
    _ arrival: Arrival,
    into keeper: inout MirroredThumbnails
  ) async throws(Failure) -> [ThumbnailBatch] {
    let thumbnails = arrival.batch.thumbnails
    var lacking = thumbnails
    do throws(Failure) {
      let reply = try arrival.reply.get()
      guard reply.header.status == 200 else { throw .status(reply.header.status) }
      lacking = []
      var rest = reply.body[...]
      for thumbnail in thumbnails {
        // A list leaves out pictures that are not stored, and the next picture is then in their place.
        let picture = rest.prefix(max(thumbnail.bytes, 0))
        if try await keeper.take(Array(picture), of: thumbnail) {
          rest = rest.dropFirst(picture.count)
        } else {
          lacking.append(thumbnail)
        }
      }
      if thumbnails.count == 1, !lacking.isEmpty { throw .fault(.wrongPicture) }
    } catch {
      if error.isCancellation { throw error }
      if case .store = error { throw error }
      if thumbnails.count == 1 {
        let address = client.gallery.thumbnail(thumbnails[0].hash) ?? client.gallery.base
        keeper.fail(thumbnails[0], at: address, error)
        return []
      }
    }
    return lacking.map { ThumbnailBatch([$0]) }
  }

  private func reply(to batch: ThumbnailBatch) async -> Result<NetworkReply, Failure> {
    let thumbnails = batch.thumbnails
    let address =
      thumbnails.count == 1
      ? client.gallery.thumbnail(thumbnails[0].hash)
      : client.gallery.thumbnails(thumbnails.map(\.hash))
    let request = NetworkRequest(
      address: address ?? client.gallery.base,
      reach: client.networkReach,
      accept: AcceptField.pictures,
      // A response with more bytes than the gallery declares cannot have the right pictures.
      byteLimit: batch.bytes,
      timeLimit: SyncLimits.thumbnailTime,
      feedKey: client.gallery.base.hashValue
    )
    return await Result(of: try await client.fetch(request))
  }

  // MARK: Originals

  /// Fetches the originals that the gallery has stored, within the budget of the sync.
  func fetchOriginals(
    _ counts: inout TransferCounts,
    _ problems: inout [SyncProblem]
  ) async throws(Failure) {
    var last: Int64?
    // Once no original of a look has room, the rest is only counted.
    var hasRoom = true
    while true {
      let base = client.gallery.base
      let limit = hasRoom ? SyncLimits.originalsAtOnce : SyncLimits.picturesPerPage
      let wanted = try await Failure.ofStore(
        await store.wantedOriginals(from: base, before: last, limit: limit)
      )
      guard let end = wanted.last?.imageID else { return }
      last = end
      guard hasRoom else {
        counts.waiting += wanted.count
        continue
      }
      shared.progress.update { $0.originals.total += wanted.count }
      let results = await results(of: wanted)
      shared.progress.update { $0.originals.done += wanted.count }
      hasRoom = results.contains { $0.failure?.lacksRoomForAll != true }
      for (original, failure) in results {
        switch failure {
        case nil: counts.stored += 1
        case .overBudget?: counts.waiting += 1
        case .store(let error)? where error.isOfBounds:
          counts.waiting += 1
          shared.tellOnce(error)
        case let failure? where failure.isCancellation: throw failure
        case .store(let error)?: throw .store(error)
        case let failure?:
          let problem = SyncProblem(subject: .original, address: original.address, failure: failure)
          counts.failed += 1
          problems.append(problem)
          shared.teller.yield(.problem(problem))
        }
      }
    }
  }

  /// Fetches originals at once, except that those with equal contents wait for the first, whose file they get.
  private func results(
    of wanted: [MirroredOriginal]
  ) async -> [(original: MirroredOriginal, failure: Failure?)] {
    var hashes: Set<SHA256Digest?> = []
    var (first, repeated): ([MirroredOriginal], [MirroredOriginal]) = ([], [])
    for original in wanted {
      if hashes.insert(original.hash).inserted {
        first.append(original)
      } else {
        repeated.append(original)
      }
    }
    var results: [(original: MirroredOriginal, failure: Failure?)] = []
    for originals in [first, repeated] where !originals.isEmpty {
      results += await withTaskGroup(of: (MirroredOriginal, Failure?).self) { group in
        for original in originals { group.addTask { (original, await failure(of: original)) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    return results
  }

  /// Fetches an original; returns nil once it is stored, or else the failure.
  private func failure(of original: MirroredOriginal) async -> Failure? {
    guard let hash = original.hash, let address = client.gallery.original(hash) else { return nil }
    if shared.budget.isSpent { return .overBudget }
    var tally = ArrivalTally(shared.progress)
    var request = OriginalRequest(
      imageID: original.imageID,
      address: original.address,
      reach: client.networkReach
    )
    request.copy = OriginalCopy(address: address, hash: hash, reach: client.networkReach)
    request.budget = shared.budget
    request.keepsRoom = true
    request.feedKey = client.gallery.base.hashValue
    do throws(Failure) {
      let fetched = try await client.tools.originals.fetch(request) {
        tally.note(received: $0.received)
      }
      client.note(wireBytes: fetched.wireBytes, counted: tally.bytes)
      return nil
    } catch {
      return error
    }
  }
}
