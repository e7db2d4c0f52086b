import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Scenes
import Workers

/// Keeps answers as the routes have given them, to be sent again on an event loop: thumbnails and assets with their
/// bytes in memory, and originals with the identity of their files.
///
/// The answer with a picture is right as long as nothing in the library has changed since its request arrived, whatever
/// was changed. Any commit of any process is noticed before the next request is answered (`ChangeWatching.changeMark`),
/// and then all pictures are dropped: none could be sent again. The bytes of a thumbnail were checked when they were
/// read, and stay in memory; so damage on the disk does not reach them. An original is the file that the routes have
/// checked, as long as its path leads to the same file of the same size and time. An asset never changes.
///
/// The tasks of a request take three quarters of its time, and the database most of the rest: `Documentation/Serve.md`.
final class KeptAnswers: Sendable {
  /// An answer to send again.
  struct Answer: Sendable {
    enum Body: Sendable {
      /// Of an answer to HEAD, or of 304.
      case none
      case bytes(ByteBuffer)
      /// The file must still be there, also when it is not sent, as for HEAD.
      case file(KeptFile, isSent: Bool)
    }

    let head: KeptHead
    let body: Body
  }

  fileprivate struct Kept {
    enum Body {
      case bytes(ByteBuffer)
      /// From the second `end`, the routes have to note again that the original is looked at.
      case file(KeptFile, end: Int)
    }

    var whole: KeptHead
    /// The head of 304, after a client has asked with the picture's entity tag.
    var unchanged: KeptHead?
    var body: Body
    /// Whether it was sent since the last search for room.
    var wasSent = false

    /// The bytes that it takes of `Limits.keptBytes`; a buffer takes more than its content.
    var size: Int {
      guard case .bytes(let bytes) = body else { return Limits.keptHeadBytes }
      return bytes.storageCapacity + Limits.keptHeadBytes
    }
  }

  fileprivate struct State {
    /// The state of the library to which all pictures belong.
    var mark: Int?
    var pictures: [KeptQuestion.Key: Kept] = [:]
    var bytes = 0
    var sent = 0
    /// The keys of all pictures; the search for room goes around.
    var keys: [KeptQuestion.Key] = []
    var next = 0
    /// Files that the routes have opened to answer, by the paths of the requests, with the state of the library.
    var opened: [String: (file: KeptFile, mark: Int)] = [:]
    var assets: [KeptQuestion.Key: Kept] = [:]
    /// The date as answers have it, made once a second.
    var date = (second: Int.min, text: "")
  }

  /// The paths whose answers may be kept.
  let paths: KeptPaths
  private let library: any ChangeWatching
  private let limit: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - library: The library, which tells whether it has changed.
  ///   - paths: The paths whose answers may be kept.
  ///   - limit: The bytes of pictures to keep at most.
  init(_ library: any ChangeWatching, _ paths: KeptPaths, limit: Int = Limits.keptBytes) {
    (self.library, self.paths, self.limit) = (library, paths, limit)
  }

  /// The state of the library, for the requests that arrive now; nil when it is not known without waiting.
  var mark: Int? { library.changeMark }

  // MARK: Sending

  /// The answer to a question for a picture.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - mark: The state of the library.
  ///   - now: The current time.
  ///   - sendsFiles: Whether the connection can send files.
  /// - Returns: The answer; nil when none is kept for this question in this state.
  func answer(
    to question: KeptQuestion,
    at mark: Int,
    now: Date,
    sendsFiles: Bool = true
  ) -> Answer? {
    let second = now.wholeSecond
    return state.withLock { state in
      state.turn(to: mark)
      guard let index = state.pictures.index(forKey: question.key) else { return nil }
      if case .file(let file, let end) = state.pictures.values[index].body {
        if !sendsFiles, !question.isForHead { return nil }
        if second >= end {
          // Of many clients that ask now, one goes to the routes.
          let next = second + Limits.keptFileSeconds
          state.pictures.values[index].body = .file(file, end: next)
          return nil
        }
      }
      let date = state.date(of: second)
      return state.pictures.values[index].answer(to: question, date)
    }
  }

  /// The answer to a question for an asset; nil when it is not kept.
  func asset(for question: KeptQuestion, now: Date) -> Answer? {
    let second = now.wholeSecond
    return state.withLock { state in
      guard let index = state.assets.index(forKey: question.key) else { return nil }
      let date = state.date(of: second)
      return state.assets.values[index].answer(to: question, date)
    }
  }

  /// Counts an answer that was sent again.
  func noteSent() { state.withLock { $0.sent += 1 } }

  // MARK: Keeping

  /// Notes the file that the routes have found for an answer, before the answer is kept.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: The path of the request.
  ///   - mark: The state of the library before they have looked for it.
  func note(_ file: KeptFile, for path: String, at mark: Int) {
    state.withLock { state in
      // Answers that are not kept leave theirs behind.
      if state.opened.count >= Limits.notedFiles { state.opened = [:] }
      state.opened[path] = (file, mark)
    }
  }

  /// Keeps the answer to a question for a picture.
  ///
  /// - Parameters:
  ///   - head: The head, as the routes have given it.
  ///   - body: The bytes of a thumbnail; empty for 304.
  ///   - question: The question.
  ///   - mark: The state of the library when it arrived.
  ///   - now: The current time.
  func keep(
    _ head: HTTPResponse,
    _ body: ByteBuffer,
    for question: KeptQuestion,
    at mark: Int,
    now: Date = Date()
  ) {
    // Nothing of an earlier state would ever be sent.
    guard !question.isForHead, mark == library.changeMark else { return }
    let made = KeptHead(head)
    state.withLock { state in
      state.turn(to: mark)
      let file = state.opened.removeValue(forKey: question.path)
      if head.status == .notModified {
        state.pictures[question.key]?.unchanged = made
      } else if question.subject == .original {
        guard let file, file.mark == mark, head.hasLength(file.file.length) else { return }
        let end = now.wholeSecond + Limits.keptFileSeconds
        let kept = Kept(whole: made, body: .file(file.file, end: end))
        state.keep(kept, as: question.key, limit: limit)
      } else if head.hasLength(body.readableBytes), body.readableBytes <= Limits.keptPictureBytes {
        state.keep(Kept(whole: made, body: .bytes(body)), as: question.key, limit: limit)
      }
    }
  }

  /// Keeps the answer to a question for an asset, as long as the server runs.
  func keepAsset(_ head: HTTPResponse, _ body: ByteBuffer, for question: KeptQuestion) {
    guard !question.isForHead, head.status == .ok, head.hasLength(body.readableBytes) else {
      return
    }
    let kept = Kept(whole: KeptHead(head), body: .bytes(body))
    state.withLock { $0.assets[question.key] = kept }
  }

  struct Figures: Equatable, Sendable {
    /// The number of pictures that are kept, and the bytes that they take.
    var (count, bytes) = (0, 0)
    /// How often they and assets were sent again.
    var sent = 0
  }

  var figures: Figures {
    state.withLock { Figures(count: $0.pictures.count, bytes: $0.bytes, sent: $0.sent) }
  }
}

extension Date {
  fileprivate var wholeSecond: Int { Int(timeIntervalSince1970.rounded(.down)) }
}

extension HTTPResponse {
  fileprivate func hasLength(_ length: Int) -> Bool {
    headerFields[.contentLength] == String(length)
  }
}

extension KeptAnswers.Kept {
  /// Nil for a question that the routes have to answer.
  fileprivate mutating func answer(
    to question: KeptQuestion,
    _ date: (second: Int, text: String)
  ) -> KeptAnswers.Answer? {
    guard let knownTag = question.knownTag else {
      wasSent = true
      whole.date(date)
      return KeptAnswers.Answer(head: whole, body: sent(isWhole: !question.isForHead))
    }
    guard !question.isForHead, knownTag == whole.response.headerFields[.eTag] else { return nil }
    unchanged?.date(date)
    return unchanged.map { KeptAnswers.Answer(head: $0, body: sent(isWhole: false)) }
  }

  private func sent(isWhole: Bool) -> KeptAnswers.Answer.Body {
    switch body {
    case .bytes(let bytes): isWhole ? .bytes(bytes) : .none
    case .file(let file, _): .file(file, isSent: isWhole)
    }
  }
}

extension KeptAnswers.State {
  /// Drops the pictures of another state of the library.
  fileprivate mutating func turn(to mark: Int) {
    if mark == self.mark { return }
    self.mark = mark
    (pictures, keys, bytes, next) = ([:], [], 0, 0)
  }

  fileprivate mutating func date(of second: Int) -> (second: Int, text: String) {
    if date.second != second {
      date = (second, Wording.mailDate(Date(timeIntervalSince1970: Double(second))))
    }
    return date
  }

  fileprivate mutating func keep(
    _ new: KeptAnswers.Kept,
    as key: KeptQuestion.Key,
    limit: Int
  ) {
    if let old = pictures.updateValue(new, forKey: key) {
      bytes -= old.size
    } else {
      keys.append(key)
    }
    bytes += new.size
    while bytes > limit, !keys.isEmpty { removeNext() }
  }

  /// Removes a picture that was not sent since the last time around (the algorithm "clock" for caches).
  private mutating func removeNext() {
    while true {
      if next >= keys.count { next = 0 }
      guard pictures[keys[next]]?.wasSent == true else { break }
      pictures[keys[next]]?.wasSent = false
      next += 1
    }
    if let old = pictures.removeValue(forKey: keys[next]) { bytes -= old.size }
    // The newest takes the place of the removed one, behind the hand of the clock.
    keys.swapAt(next, keys.count - 1)
    keys.removeLast()
    next += 1
  }
}
