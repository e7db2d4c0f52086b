import Terminal

/// A presenter, and the display that it tells: for people, for scripts, for other programs.
struct Output<Presenter> {
  let presenter: Presenter
  let display: CommandDisplay

  /// Makes the presenter for a display.
  init<Display: CommandDisplay>(_ display: Display, _ present: (Display) -> Presenter) {
    self.display = display
    presenter = present(display)
  }
}
