import Foundation
import Glibc
import Scenes
import Terminal

/// Which presenter and which display a command gets.
extension Gallery {
  func listImagesOutput(_ style: ListStyle) -> Output<any ListImagesPresentationLogic> {
    if options.json || style.format != nil {
      let display = ListImagesJSONDisplay(console: console, format: style.format)
      return Output(display, ListImagesJSONPresenter.init)
    }
    let display = ListImagesTextDisplay(
      console: console,
      grid: style.grid,
      nextPage: style.nextPage
    )
    return Output(display, ListImagesPresenter.init)
  }

  /// How a list looks.
  struct ListStyle {
    var grid: PictureGrid?
    /// The command that lists the page from an offset on.
    var nextPage: ((Int) -> String)?
    var format: ListFormat?
  }

  func showImageOutput(_ drawing: PictureDrawing?) -> Output<any ShowImagePresentationLogic> {
    options.json
      ? Output(ShowImageJSONDisplay(console: console), ShowImageJSONPresenter.init)
      : Output(
        ShowImageTextDisplay(console: console, makeArea: drawing.map { $0.makeArea }),
        ShowImagePresenter.init
      )
  }

  /// What pictures are drawn with; nil when none are: then the terminal is not asked either.
  func drawing(_ mode: PictureMode) -> PictureDrawing? {
    guard !options.json, !options.quiet else { return nil }
    let terminal = PictureTerminal(
      mode: mode,
      descriptor: STDOUT_FILENO,
      environment: ProcessInfo.processInfo.environment
    )
    if terminal.lacksLibrary { console.say(Wording.noDrawingLibrary) }
    return PictureDrawing(on: terminal, console: console)
  }

  func listFeedsOutput(asOPML: Bool) -> Output<any ListFeedsPresentationLogic> {
    if asOPML {
      let display = ListFeedsOPMLDisplay(console: console, created: Wording.mailDate(Date()))
      return Output(display, ListFeedsJSONPresenter.init)
    }
    return options.json
      ? Output(ListFeedsJSONDisplay(console: console), ListFeedsJSONPresenter.init)
      : Output(ListFeedsTextDisplay(console: console), ListFeedsPresenter.init)
  }
}
