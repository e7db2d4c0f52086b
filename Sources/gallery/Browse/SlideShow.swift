import Models
import Scenes
import Terminal
import Workers

/// `gallery frame`: one picture after another on the whole screen, for weeks.
///
/// The next picture is fetched and decoded while one is shown. It is shown as soon as it is due and decoded. A picture
/// that cannot be shown is skipped, and the previous one stays until the next is ready.
final class SlideShow {
  /// The number of images in one request.
  private static let imagesAtOnce = 60

  private let terminal: Browser.Terminal
  private let scenes: BrowseScenes
  private let list: BrowsedList
  private let seconds: Int
  private let isOffline: Bool
  private let send: @Sendable (BrowseEvent) -> Void
  private let route: ImageRoute
  private var drawing: BrowseDrawing
  private var images: [DisplayedImage] = []
  /// The index in `images` of the next image.
  private var position = 0
  private var shown: OpenedImage?
  private var next: OpenedImage?
  private var note: String?
  private var isAsking = false
  private var isPaused = false
  /// Whether the time of the current picture is over.
  private var isDue = true
  private var waits = 0

  init(
    terminal: Browser.Terminal,
    graphics: TerminalGraphics,
    scenes: BrowseScenes,
    list: BrowsedList,
    seconds: Int,
    isOffline: Bool,
    send: @escaping @Sendable (BrowseEvent) -> Void
  ) {
    self.terminal = terminal
    self.scenes = scenes
    self.list = list
    self.seconds = seconds
    self.isOffline = isOffline
    self.send = send
    route = ImageRoute(scenes, send)
    drawing = BrowseDrawing(graphics: graphics, window: terminal.window())
  }

  /// Shows pictures until an event ends the program.
  func run(_ events: AsyncStream<BrowseEvent>) async {
    ask()
    for await event in events {
      guard await handle(event) else { break }
      await advance()
      terminal.show(content)
    }
    for opened in [shown, next] { opened?.stop.make() }
  }

  private var content: ScreenContent {
    SlideContent.content(of: shown?.display, note: note, drawing)
  }

  /// Handles an event; returns false to end the program.
  private func handle(_ event: BrowseEvent) async -> Bool {
    switch event {
    case .terminal(.input(.key(let key))): return handle(key)
    case .terminal(.resized): await resize()
    case .terminal(.continued):
      terminal.redraw()
      await resize()
    case .terminal(.closed), .stopped: return false
    case .listed(let listed, _, _): take(listed)
    case .displayed(let change, let number):
      for opened in [shown, next] where opened?.number == number {
        opened.map { change($0.display) }
      }
    case .slideDue(let wait): if wait == waits, !isPaused { isDue = true }
    case .libraryChanged: if images.isEmpty { ask() }
    default: break
    }
    return true
  }

  private func handle(_ key: Key) -> Bool {
    switch key {
    case .character("q"), .escape: return false
    case .character(" "):
      isPaused.toggle()
      if !isPaused { wait() }
    case .right, .character("j"), .enter: isDue = true
    case .left, .character("k"): goBack()
    case .control("l"): terminal.redraw()
    case .control("z"): terminal.suspend()
    default: break
    }
    return true
  }

  /// Makes the picture before the current one the next one.
  private func goBack() {
    next?.stop.make()
    next = nil
    let current = images.firstIndex { $0.id == shown?.display.id }
    position = max(0, (current ?? position) - 1)
    isDue = true
  }

  private func resize() async {
    drawing.window = terminal.window()
    for index in [\SlideShow.shown, \SlideShow.next] {
      guard var opened = self[keyPath: index] else { continue }
      opened.stop.make()
      opened.stop = StopRequest()
      self[keyPath: index] = opened
      await opened.show(in: drawing.slideRoom, mayAskNetwork: !isOffline)
    }
  }

  // MARK: The list

  private func ask() {
    guard !isAsking else { return }
    isAsking = true
    var request = list.request(.init(number: 0))
    request.query.limit = Self.imagesAtOnce
    request.query.offset = list.query.order == .random ? 0 : asked
    Task { [scenes, send] in
      send(.listed(await scenes.list(request), of: .init(number: 0), list: 0))
    }
  }

  /// The number of images of an ordered list that have been requested.
  private var asked = 0

  private func take(_ listed: ListedPage) {
    isAsking = false
    asked = listed.next == nil ? 0 : asked + listed.images.count
    note = listed.images.isEmpty ? listed.note : nil
    guard !listed.images.isEmpty else { return }
    // The last images are kept, so that the user can go back to them.
    let kept = images.suffix(2)
    images = kept + listed.images
    position = kept.count
  }

  // MARK: The pictures

  /// Shows the next picture when it is due, and fetches the one after it.
  private func advance() async {
    if let next, next.display.hasEnded, !next.display.hasPicture { self.next = nil }
    if isDue, let next, next.display.hasPicture {
      shown?.stop.make()
      (shown, self.next, isDue) = (next, nil, false)
      wait()
    }
    while next == nil {
      guard position < images.count else { return ask() }
      position += 1
      next = await route.open(images[position - 1])
      await next?.show(in: drawing.slideRoom, mayAskNetwork: !isOffline)
    }
  }

  private func wait() {
    waits += 1
    Task { [send, seconds, waits] in
      try? await Task.sleep(for: .seconds(seconds))
      send(.slideDue(waits))
    }
  }
}
