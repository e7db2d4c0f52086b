import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Scenes
import Workers

/// Answers with pictures that are kept in memory as the routes have given them, to be sent again on an event loop.
///
/// An answer is right as long as nothing in the library has changed since its request arrived, whatever was changed.
/// Any commit of any process is noticed before the next request is answered (`ChangeWatching.changeMark`). The bytes
/// were checked when they were read, and stay in memory; so damage on the disk does not reach them.
///
/// The tasks of a request take three quarters of its time, and the database most of the rest: `Documentation/Serve.md`.
final class KeptPictures: Sendable {
  /// An answer to send again; the body of an answer to HEAD or of 304 is nil.
  struct Answer: Sendable {
    let head: HTTPResponse
    let body: ByteBuffer?
  }

  /// A head whose date is that of a second.
  fileprivate struct Head {
    var response: HTTPResponse
    var second: Int
  }

  fileprivate struct Kept {
    let mark: Int
    var whole: Head
    /// The head of 304, after a client has asked with the picture's entity tag.
    var unchanged: Head?
    let body: ByteBuffer
    /// Whether it was sent since the last search for room.
    var wasSent = false

    /// The bytes that it takes of `Limits.keptBytes`; a buffer takes more than its content.
    var size: Int { body.storageCapacity + Limits.keptHeadBytes }
  }

  fileprivate struct State {
    var kept: [String: Kept] = [:]
    var bytes = 0
    var sent = 0
    /// The paths of all of them; the search for room goes around.
    var paths: [String] = []
    var next = 0
    /// The date as answers have it, made once a second.
    var date = (second: Int.min, text: "")
  }

  /// The beginning of the paths of pictures.
  let prefix: String
  private let library: any ChangeWatching
  private let limit: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - library: The library, which tells whether it has changed.
  ///   - prefix: The beginning of the paths, before the hash.
  ///   - limit: The bytes to keep at most.
  init(_ library: any ChangeWatching, prefix: String, limit: Int = Limits.keptBytes) {
    (self.library, self.prefix, self.limit) = (library, prefix, limit)
  }

  /// The state of the library, for the requests that arrive now; nil when it is not known without waiting.
  var mark: Int? { library.changeMark }

  // MARK: Sending

  /// The answer to a question about the library in a state; nil when it is not kept, or not of this state.
  func answer(to question: PictureQuestion, at mark: Int, now: Date) -> Answer? {
    let second = Int(now.timeIntervalSince1970.rounded(.down))
    return state.withLock { state in
      guard let index = state.kept.index(forKey: question.path),
        state.kept.values[index].mark == mark
      else { return nil }
      let date = state.date(of: second)
      let answer = state.kept.values[index].answer(to: question, date)
      if answer != nil { state.sent += 1 }
      return answer
    }
  }

  // MARK: Keeping

  /// Keeps the answer to a question.
  ///
  /// - Parameters:
  ///   - head: The head, as the routes have given it.
  ///   - body: The bytes; empty for 304.
  ///   - question: The question.
  ///   - mark: The state of the library when it arrived.
  func keep(_ head: HTTPResponse, _ body: ByteBuffer, for question: PictureQuestion, at mark: Int) {
    // The second in which the head was made is not known, so its date is replaced before it is sent again.
    let made = Head(response: head, second: .min)
    let isWhole = head.headerFields[.contentLength] == String(body.readableBytes)
    switch head.status {
    case .notModified where !question.isForHead:
      state.withLock { state in
        guard state.kept[question.path]?.mark == mark else { return }
        state.kept[question.path]?.unchanged = made
      }
    case .ok where !question.isForHead && isWhole && body.readableBytes <= Limits.keptPictureBytes:
      let kept = Kept(mark: mark, whole: made, body: body)
      state.withLock { $0.keep(kept, as: question.path, limit: limit) }
    default: break
    }
  }

  struct Figures: Equatable, Sendable {
    /// The number of pictures that are kept, and the bytes that they take.
    var (count, bytes) = (0, 0)
    /// How often they were sent again.
    var sent = 0
  }

  var figures: Figures {
    state.withLock { Figures(count: $0.kept.count, bytes: $0.bytes, sent: $0.sent) }
  }
}

extension KeptPictures.Head {
  /// The response with another date.
  fileprivate mutating func dated(_ date: (second: Int, text: String)) -> HTTPResponse {
    if second != date.second {
      response.headerFields[.date] = date.text
      second = date.second
    }
    return response
  }
}

extension KeptPictures.Kept {
  /// Nil for a question that the routes have to answer.
  fileprivate mutating func answer(
    to question: PictureQuestion,
    _ date: (second: Int, text: String)
  ) -> KeptPictures.Answer? {
    guard let knownTag = question.knownTag else {
      wasSent = true
      let head = whole.dated(date)
      return KeptPictures.Answer(head: head, body: question.isForHead ? nil : body)
    }
    guard !question.isForHead, knownTag == whole.response.headerFields[.eTag],
      let head = unchanged?.dated(date)
    else { return nil }
    return KeptPictures.Answer(head: head, body: nil)
  }
}

extension KeptPictures.State {
  fileprivate mutating func date(of second: Int) -> (second: Int, text: String) {
    if date.second != second {
      date = (second, Wording.mailDate(Date(timeIntervalSince1970: Double(second))))
    }
    return date
  }

  fileprivate mutating func keep(_ new: KeptPictures.Kept, as path: String, limit: Int) {
    if let old = kept.updateValue(new, forKey: path) {
      bytes -= old.size
    } else {
      paths.append(path)
    }
    bytes += new.size
    while bytes > limit, !paths.isEmpty { removeNext() }
  }

  /// Removes a picture that was not sent since the last time around (the algorithm "clock" for caches).
  private mutating func removeNext() {
    while true {
      if next >= paths.count { next = 0 }
      guard kept[paths[next]]?.wasSent == true else { break }
      kept[paths[next]]?.wasSent = false
      next += 1
    }
    if let old = kept.removeValue(forKey: paths[next]) { bytes -= old.size }
    // The newest takes the place of the removed one, behind the hand of the clock.
    paths.swapAt(next, paths.count - 1)
    paths.removeLast()
    next += 1
  }
}
