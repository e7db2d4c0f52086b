import Models
import Scenes
import Terminal
import Workers

/// `gallery browse`: one task that reads a stream of events, and owns all displays and the scene of the list.
///
/// Slow work runs in separate tasks with separate scenes, and returns its results as events. So a key never waits, and
/// background tasks never access a scene or a display of this task.
final class Browser {
  /// The terminal's functions and initial state.
  struct Terminal {
    var window: () -> TerminalWindow
    var show: (ScreenContent) -> Void
    var redraw: () -> Void
    var suspend: () -> Void
  }

  /// Counting a long list is slow; the pause before the next count is this many times as long as the last count.
  private static let restPerCount = 20

  let screen: BrowseScreen
  let terminal: Terminal
  let scenes: BrowseScenes
  let send: @Sendable (BrowseEvent) -> Void
  let isOffline: Bool
  var list: BrowsedList
  /// The number of the list, by which results for an earlier list are ignored.
  private(set) var listNumber = 0
  var image: OpenedImage?
  var facts: OpenedImage?
  /// Whether the panel explains why the image has what it has, and does not list all facts.
  var explainsFacts = false
  /// Stops the running sync; nil without one.
  var syncStop: StopRequest?
  /// The name of the only feed in the list; empty for all feeds.
  var feedName: String
  private let route: ImageRoute
  private let tiles: TileLoader
  private var asked: Set<Int> = []
  private var isRefreshing = false
  private var isStale = false
  private var isCounting = false
  /// The earliest time of the next count.
  private var nextCount = ContinuousClock.now

  init(
    screen: BrowseScreen,
    terminal: Terminal,
    scenes: BrowseScenes,
    list: BrowsedList,
    feedName: String,
    isOffline: Bool,
    send: @escaping @Sendable (BrowseEvent) -> Void
  ) {
    self.screen = screen
    self.terminal = terminal
    self.scenes = scenes
    self.list = list
    self.isOffline = isOffline
    self.send = send
    self.feedName = feedName
    route = ImageRoute(scenes, send)
    tiles = TileLoader(scenes.picture, send)
    screen.filter = filter
  }

  /// Handles events until one of them ends the program.
  func run(_ events: AsyncStream<BrowseEvent>) async {
    update()
    for await event in events {
      guard await handle(event) else { break }
      update()
    }
    tiles.stop()
    image?.stop.make()
    syncStop?.make()
  }

  /// Requests data that the screen lacks, and draws it.
  private func update() {
    screen.arrange()
    askForPages()
    wantTiles()
    terminal.show(screen.content)
  }

  // MARK: Events

  /// Handles an event; returns false to end the program.
  private func handle(_ event: BrowseEvent) async -> Bool {
    switch event {
    case .terminal(.input(let input)): return await handle(input)
    case .terminal(.resized): await resize()
    case .terminal(.continued):
      terminal.redraw()
      await resize()
    case .terminal(.closed), .stopped: return false
    case .listed(let listed, let page, let number) where number == listNumber:
      asked.remove(page.number)
      screen.grid.take(listed, of: page)
      if listed.next != nil { count() }
    case .refreshed(let listed, let page, let number) where number == listNumber:
      finishRefreshing(listed, page)
    case .counted(let total, let number, let duration):
      isCounting = false
      nextCount = .now + duration * Self.restPerCount
      if number == listNumber, let total { screen.grid.take(total: total) }
    case .listed, .refreshed, .slideDue: break
    case .decoded(let picture, let key):
      screen.drawing?.take(picture, for: key)
      tiles.finish(key)
    case .displayed(let change, let number): display(change, number)
    case .feeds(let change): if let feeds = screen.feeds { change(feeds) }
    case .libraryChanged: refresh()
    case .message(let text): screen.message = text
    case .syncing(let line): if syncStop != nil { screen.sync = line }
    case .syncEnded(let words):
      (syncStop, screen.sync) = (nil, nil)
      screen.message = words
    }
    return true
  }

  private func display(_ change: @Sendable (ImageDisplay) -> Void, _ number: Int) {
    for opened in [image, facts] where opened?.number == number {
      opened.map { change($0.display) }
    }
  }

  private func resize() async {
    let window = terminal.window()
    guard window != screen.window else { return }
    screen.resize(to: window)
    if image != nil { await showPicture() }
  }

  // MARK: The list

  private func askForPages() {
    // After a change, the numbers of pages are uncertain.
    guard !isRefreshing else { return }
    for page in screen.grid.wantedPages.prefix(2) where asked.insert(page.number).inserted {
      var page = page
      // A random order cannot be continued, so one request reads 16 pages.
      if list.query.order == .random { page.count = 16 }
      let (request, number) = (list.request(page), listNumber)
      Task { [scenes, send, page] in
        send(.listed(await scenes.list(request), of: page, list: number))
      }
    }
  }

  /// Reads the pages around the selection again; only one such task runs at a time.
  private func refresh() {
    guard !isRefreshing, list.query.order != .random else {
      isStale = isRefreshing
      return
    }
    (isRefreshing, isStale) = (true, false)
    let page = screen.grid.pagesToRefresh
    let (request, number) = (list.request(page), listNumber)
    Task { [scenes, send] in
      send(.refreshed(await scenes.list(request), of: page, list: number))
    }
  }

  private func finishRefreshing(_ listed: ListedPage, _ page: ImageGrid.PageRequest) {
    isRefreshing = false
    // Results that were requested before the change may now be outdated.
    asked = []
    if !listed.hasFailed { screen.grid.refresh(listed, of: page) }
    if listed.next != nil { count() }
    if isStale { refresh() }
  }

  /// Counts the list, unless it was counted a moment ago.
  func count(isUrgent: Bool = false) {
    guard !isCounting, isUrgent || nextCount <= .now else { return }
    isCounting = true
    Task { [scenes, send, list, listNumber] in
      let begin = ContinuousClock.now
      let total = await scenes.count(list)
      send(.counted(total, list: listNumber, taking: .now - begin))
    }
  }

  /// Shows another list, from its beginning.
  func show(_ list: BrowsedList) {
    self.list = list
    listNumber += 1
    (asked, isRefreshing, isStale, nextCount) = ([], false, false, .now)
    screen.filter = filter
    screen.grid = ImageGrid(layout: screen.grid.layout)
  }

  /// The feed and the words to which the list is limited.
  private var filter: String {
    [feedName, list.query.search.map { "/\($0)" } ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  // MARK: Pictures

  private func wantTiles() {
    guard let drawing = screen.drawing, screen.image == nil else { return }
    let keys = screen.grid.wantedImages.compactMap(drawing.key)
    screen.drawing?.keep(only: Set(keys))
    tiles.want(keys.filter { drawing.pictures[$0] == nil })
  }

  // MARK: One image

  /// Opens the image that is selected in the grid; if this fails, shows the reason.
  private func openSelected() async -> OpenedImage? {
    guard let selected = screen.grid.selectedImage else { return nil }
    let opened = await route.open(selected)
    if opened == nil { screen.message = route.problem }
    return opened
  }

  /// Shows the image that is selected in the grid.
  func showSelected() async {
    closeImage()
    guard let opened = await openSelected() else { return }
    image = opened
    screen.image = opened.display
    await showPicture()
    if screen.facts != nil { await showFacts() }
  }

  /// Requests the picture in the size of the window; the fetched part of it is used again.
  private func showPicture() async {
    guard var opened = image else { return }
    opened.stop.make()
    opened.stop = StopRequest()
    image = opened
    await opened.show(in: screen.room, mayAskNetwork: !isOffline)
  }

  func closeImage() {
    image?.stop.make()
    image = nil
    screen.image = nil
  }

  /// Shows facts about the selected image, or their reasons, in the panel.
  func showFacts() async {
    guard let opened = await openSelected() else { return }
    facts = opened
    screen.facts = opened.display
    if explainsFacts {
      await opened.scene.interactor.explainImage()
    } else {
      await opened.scene.interactor.describeImage()
    }
  }

  /// Opens the original with another program, whose output is shown as a message.
  func openOriginal() async {
    guard let opened = await openSelected() else { return }
    facts = opened
    await opened.scene.interactor.fetchOriginal(
      request: .init(
        mayAskNetwork: !isOffline,
        isOpened: true,
        holdTime: .untilNext,
        stop: opened.stop
      )
    )
  }
}
