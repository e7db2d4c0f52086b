import Workers

/// A fetch of one original that is under way, and pictures of what has come of it.
struct SharpenedFetch {
  enum Step: Sendable {
    case event(OriginalEvent)
    /// What has come; nil when no picture could be made of it.
    case partial(DecodedPixels?)
  }

  /// What happens, in order; read it to the end of the fetch.
  let steps: AsyncStream<Step>
  /// Nil when no pictures are wanted.
  let sharpening: Sharpening?
  private let run: OriginalRun

  /// Starts the fetch.
  ///
  /// - Parameters:
  ///   - request: Which original.
  ///   - fetcher: What fetches it.
  ///   - makeSharpening: Makes what decodes the parts, given who hears of them.
  init(
    _ request: OriginalRequest,
    with fetcher: any OriginalFetching,
    _ makeSharpening: (@escaping @Sendable (DecodedPixels?) -> Void) -> Sharpening?
  ) {
    let (steps, teller) = AsyncStream.makeStream(of: Step.self)
    self.steps = steps
    sharpening = makeSharpening { teller.yield(.partial($0)) }
    let run = OriginalRun(request, with: fetcher)
    self.run = run
    Task {
      for await event in run.events { teller.yield(.event(event)) }
      teller.finish()
    }
  }

  /// Asks the fetch to stop: the steps go on to its end.
  func stop(when request: StopRequest) { request.whenMade { [run] in run.stop() } }
}
