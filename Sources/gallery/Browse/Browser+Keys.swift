import Models
import Scenes
import Terminal
import Workers

/// Handles keys and the mouse, with the same keys as in the web gallery.
extension Browser {
  /// Handles an input; returns false to end the program.
  func handle(_ input: TerminalInput) async -> Bool {
    screen.message = nil
    switch input {
    case .key(.control("z")): terminal.suspend()
    case .key(.control("l")): terminal.redraw()
    case .key(let key): return await handle(key)
    case .paste(let text): if screen.prompt != nil { screen.prompt? += text }
    case .click(let column, let row): await click(CellPosition(column: column, row: row))
    case .wheel(let step): await turn(step > 0 ? .down : .up)
    }
    return true
  }

  private func handle(_ key: Key) async -> Bool {
    if screen.prompt != nil {
      type(key)
    } else if screen.isHelpShown {
      if let move = Self.scroll(for: key), screen.scroll(move) { return true }
      screen.isHelpShown = false
      return key != .character("q")
    } else if let feeds = screen.feeds {
      return choose(key, feeds)
    } else if screen.facts != nil, let move = Self.scroll(for: key), screen.scroll(move) {
      return true
    } else if let move = Self.move(for: key) {
      await self.move(move)
    } else if key == .character("q") {
      return false
    } else {
      await act(key)
    }
    return true
  }

  private static func move(for key: Key) -> ImageGrid.Move? {
    switch key {
    case .left, .character("k"): .left
    case .right, .character("j"), .character(" "): .right
    case .up: .up
    case .down: .down
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .home: .home
    case .end: .end
    default: nil
    }
  }

  /// How a key scrolls the help or the facts; nil for other keys.
  private static func scroll(for key: Key) -> ImageGrid.Move? {
    switch key {
    case .up, .character("k"): .up
    case .down, .character("j"): .down
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .home: .home
    case .end: .end
    default: nil
    }
  }

  /// Scrolls what is in front by the wheel: the help, the feeds, the facts or the grid.
  private func turn(_ move: ImageGrid.Move) async {
    if screen.scroll(move) || screen.isHelpShown { return }
    if let feeds = screen.feeds {
      feeds.move(by: move == .down ? 1 : -1)
    } else {
      await self.move(move)
    }
  }

  private func act(_ key: Key) async {
    switch key {
    case .enter: if image == nil { await showSelected() }
    case .escape: leave()
    case .character("/"): screen.prompt = list.query.search ?? ""
    case .character("f"): await showFeeds()
    case .character("i"): await toggleFacts(why: false)
    case .character("w"): await toggleFacts(why: true)
    case .character("o"): await openOriginal()
    case .character("p"): togglePin()
    case .character("s"): toggleSync()
    case .character("?"): screen.isHelpShown = true
    case .character(let character): screen.message = Wording.unknownKey(String(character))
    default: break
    }
  }

  /// Shows the next image while one image is shown, or moves the selection in the grid.
  private func move(_ move: ImageGrid.Move) async {
    var move = move
    if image != nil {
      if move == .up || move == .pageUp { move = .left }
      if move == .down || move == .pageDown { move = .right }
    }
    let before = screen.grid.selected
    if move == .end { count(isUrgent: true) }
    screen.grid.move(move)
    guard screen.grid.selected != before else { return }
    if image != nil {
      await showSelected()
    } else if screen.facts != nil {
      await showFacts()
    }
  }

  private func click(_ position: CellPosition) async {
    if screen.isHelpShown {
      screen.isHelpShown = false
    } else if let feeds = screen.feeds {
      guard let line = screen.feedLine(at: position) else { return closeFeeds() }
      feeds.select(line)
      chooseFeed(feeds)
    } else {
      await clickGrid(position)
    }
  }

  private func clickGrid(_ position: CellPosition) async {
    guard image == nil, let index = screen.grid.index(at: position) else { return }
    if index == screen.grid.selected { return await showSelected() }
    await move(.to(index))
  }

  /// Goes back one step: from the facts, from the image, from a search or from a feed.
  private func leave() {
    if screen.facts != nil {
      (facts, screen.facts) = (nil, nil)
    } else if image != nil {
      closeImage()
    } else if list.query.search != nil {
      search("")
    }
  }

  // MARK: Search

  private func type(_ key: Key) {
    switch key {
    case .character(let character): screen.prompt?.append(character)
    case .backspace: if screen.prompt?.isEmpty == false { screen.prompt?.removeLast() }
    case .control("u"): screen.prompt = ""
    case .escape: screen.prompt = nil
    case .enter:
      search(screen.prompt ?? "")
      screen.prompt = nil
    default: break
    }
  }

  private func search(_ words: String) {
    closeImage()
    var list = list
    let isEmpty = words.allSatisfy(\.isWhitespace)
    list.query.search = isEmpty ? nil : words
    show(list)
  }

  // MARK: Feeds

  private func showFeeds() async {
    closeImage()
    (facts, screen.facts) = (nil, nil)
    screen.feeds = FeedListDisplay()
    Task { [scenes, send] in await scenes.listFeeds { send(.feeds($0)) } }
  }

  private func choose(_ key: Key, _ feeds: FeedListDisplay) -> Bool {
    switch key {
    case .up, .character("k"): feeds.move(by: -1)
    case .down, .character("j"): feeds.move(by: 1)
    case .home: feeds.select(0)
    case .end: feeds.select(.max)
    case .enter: chooseFeed(feeds)
    case .escape, .character("f"): closeFeeds()
    case .character("q"): return false
    case .character(let character): screen.message = Wording.unknownKey(String(character))
    default: break
    }
    return true
  }

  private func closeFeeds() { screen.feeds = nil }

  private func chooseFeed(_ feeds: FeedListDisplay) {
    let feed = feeds.selectedFeed
    screen.feeds = nil
    feedName = feed?.name ?? ""
    var list = list
    list.feed = feed.map { .id($0.id) }
    show(list)
  }

  // MARK: Changes

  /// Shows the facts of the image or the reasons for what it has, or closes the panel that shows them.
  private func toggleFacts(why: Bool) async {
    guard screen.facts == nil || explainsFacts != why else {
      (facts, screen.facts) = (nil, nil)
      return
    }
    explainsFacts = why
    await showFacts()
  }

  private func togglePin() {
    guard let id = screen.grid.selectedImage?.id else { return }
    Task { [scenes, send] in send(.message(await scenes.togglePin(id))) }
  }

  private func toggleSync() {
    if let syncStop { return syncStop.make() }
    let stop = StopRequest()
    syncStop = stop
    Task { [scenes, send] in await scenes.sync(stop: stop, send) }
  }
}
