import Testing

@testable import Terminal

struct GraphicsProtocolChoiceTests {
  /// A terminal that answered, and supports neither kitty's pictures nor sixels.
  private static let plain = TerminalAnswers(Array("\u{1B}[?62;22c".utf8))
  private static let sixel = TerminalAnswers(Array("\u{1B}[?62;4;22c".utf8))
  private static let kitty = TerminalAnswers(Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c".utf8))

  struct Case: CustomTestStringConvertible {
    let name: String
    let environment: [String: String]
    var answers: TerminalAnswers?
    /// Nil for no pictures.
    let expected: GraphicsProtocol?

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "xterm",
      environment: ["TERM": "xterm"],
      answers: plain,
      expected: .symbols(.indexed256)
    ),
    Case(
      name: "xterm as a VT340",
      environment: ["TERM": "xterm"],
      answers: sixel,
      expected: .sixel
    ),
    Case(name: "kitty", environment: ["TERM": "xterm-kitty"], answers: kitty, expected: .kitty),
    Case(name: "kitty, not asked", environment: ["TERM": "xterm-kitty"], expected: .kitty),
    Case(
      name: "kitty's name alone",
      environment: ["TERM": "xterm-kitty"],
      answers: plain,
      expected: .symbols(.truecolour)
    ),
    Case(name: "Ghostty, not asked", environment: ["TERM": "xterm-ghostty"], expected: .kitty),
    Case(name: "foot", environment: ["TERM": "foot"], answers: sixel, expected: .sixel),
    Case(name: "foot, not asked", environment: ["TERM": "foot-extra"], expected: .sixel),
    Case(
      name: "WezTerm",
      environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "COLORTERM": "truecolor"],
      answers: kitty,
      expected: .kitty
    ),
    Case(
      name: "WezTerm, not asked",
      environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"],
      expected: .sixel
    ),
    Case(
      name: "iTerm2 through ssh",
      environment: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"],
      answers: sixel,
      expected: .iTerm2
    ),
    Case(
      name: "iTerm2, not asked",
      environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
      expected: .iTerm2
    ),
    Case(
      name: "Visual Studio Code",
      environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "COLORTERM": "truecolor"],
      answers: plain,
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "Visual Studio Code with pictures",
      environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "COLORTERM": "truecolor"],
      answers: sixel,
      expected: .sixel
    ),
    Case(
      name: "GNOME Terminal",
      environment: ["TERM": "xterm-256color", "VTE_VERSION": "7006"],
      answers: plain,
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "Konsole",
      environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "221203"],
      answers: plain,
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "Terminal.app",
      environment: [
        "TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal", "COLORTERM": "truecolor",
      ],
      expected: .symbols(.indexed256)
    ),
    Case(name: "mlterm", environment: ["TERM": "mlterm"], answers: sixel, expected: .sixel),
    Case(name: "a serial VT220", environment: ["TERM": "vt220"], expected: .symbols(.none)),
    Case(name: "the Linux console", environment: ["TERM": "linux"], expected: .symbols(.indexed16)),
    Case(name: "rxvt", environment: ["TERM": "rxvt"], expected: .symbols(.indexed16)),
    Case(
      name: "rxvt with more",
      environment: ["TERM": "rxvt-unicode-256color"],
      expected: .symbols(.indexed256)
    ),
    Case(name: "a dumb terminal", environment: ["TERM": "dumb"], expected: nil),
    Case(name: "no terminal's name", environment: [:], expected: nil),
    Case(
      name: "tmux",
      environment: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
      expected: .symbols(.indexed256)
    ),
    Case(
      name: "tmux in a terminal of many colours",
      environment: ["TERM": "screen-256color", "TMUX": "/tmp/t,1,0", "COLORTERM": "truecolor"],
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "tmux that takes sixels",
      environment: ["TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"],
      answers: sixel,
      expected: .symbols(.indexed256)
    ),
    Case(
      name: "tmux in kitty",
      environment: ["TERM": "xterm-kitty", "TMUX": "/tmp/t,1,0"],
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "tmux in iTerm2",
      environment: ["TERM": "screen", "TMUX": "/tmp/t,1,0", "LC_TERMINAL": "iTerm2"],
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "screen",
      environment: ["TERM": "screen.xterm-256color", "STY": "1.pts", "COLORTERM": "truecolor"],
      expected: .symbols(.indexed256)
    ),
    Case(
      name: "NO_COLOR",
      environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"],
      answers: plain,
      expected: .symbols(.none)
    ),
    Case(
      name: "NO_COLOR that is empty",
      environment: ["TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": ""],
      answers: plain,
      expected: .symbols(.truecolour)
    ),
    Case(
      name: "NO_COLOR where pictures are pixels",
      environment: ["TERM": "xterm-kitty", "NO_COLOR": "1"],
      answers: kitty,
      expected: .kitty
    ),
  ]

  @Test(arguments: cases)
  func `decides by what terminals say of themselves`(example: Case) {
    #expect(choice(.auto, example.environment, example.answers) == example.expected)
  }

  @Test(arguments: cases)
  func `draws nothing when nothing is wanted`(example: Case) {
    #expect(choice(.never, example.environment, example.answers) == nil)
  }

  @Test(arguments: cases)
  func `draws nothing through a pipe by itself`(example: Case) {
    #expect(choice(.auto, example.environment, nil, isTerminal: false) == nil)
  }

  @Test func `draws through a pipe when told to, as the environment says`() {
    #expect(choice(.always, ["TERM": "xterm-kitty"], nil, isTerminal: false) == .kitty)
    #expect(choice(.always, ["TERM": "xterm"], nil, isTerminal: false) == .symbols(.indexed256))
    #expect(choice(.always, [:], nil, isTerminal: false) == .symbols(.none))
  }

  @Test func `draws pixels inside a multiplexer when told to and it takes them`() {
    let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/t,1,0", "LC_TERMINAL": "iTerm2"]

    #expect(choice(.always, tmux, Self.sixel) == .sixel)
    #expect(choice(.always, tmux, Self.plain) == .symbols(.truecolour))
    #expect(choice(.always, tmux, nil) == .symbols(.truecolour))
  }

  @Test(arguments: ["dumb", "linux", "unknown"])
  func `does not ask a terminal that would draw the question`(term: String) {
    #expect(!TerminalEnvironment(["TERM": term]).mayBeAsked)
  }

  @Test func `asks others, but not Terminal.app`() {
    #expect(TerminalEnvironment(["TERM": "xterm"]).mayBeAsked)
    let apple = ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"]
    #expect(!TerminalEnvironment(apple).mayBeAsked)
  }

  @Test(arguments: ["rxvt", "rxvt-unicode", "rxvt-unicode-256color", "screen", "tmux-256color"])
  func `does not ask with a kitty picture that would become text`(term: String) {
    #expect(TerminalEnvironment(["TERM": term]).question == .allButKitty)
    #expect(TerminalEnvironment(["TERM": term]).mayBeAsked)
  }

  @Test(arguments: ["xterm", "xterm-256color", "st-256color", "foot", "mlterm", "rxvtlike"])
  func `asks other terminals with a kitty picture`(term: String) {
    #expect(TerminalEnvironment(["TERM": term]).question == .all)
    #expect(TerminalEnvironment(["TERM": term, "TMUX": "/tmp/t,1,0"]).question == .allButKitty)
  }

  private func choice(
    _ mode: PictureMode,
    _ environment: [String: String],
    _ answers: TerminalAnswers?,
    isTerminal: Bool = true
  ) -> GraphicsProtocol? {
    .chosen(
      mode: mode,
      isTerminal: isTerminal,
      environment: TerminalEnvironment(environment),
      answers: answers
    )
  }
}
