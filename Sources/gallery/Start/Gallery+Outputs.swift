import Foundation
import Scenes
import Terminal

/// Which presenter and which display a command gets.
extension Gallery {
  var listImagesOutput: Output<any ListImagesPresentationLogic> {
    options.json
      ? Output(ListImagesJSONDisplay(console: console), ListImagesJSONPresenter.init)
      : Output(ListImagesTextDisplay(console: console), ListImagesPresenter.init)
  }

  var showImageOutput: Output<any ShowImagePresentationLogic> {
    options.json
      ? Output(ShowImageJSONDisplay(console: console), ShowImageJSONPresenter.init)
      : Output(ShowImageTextDisplay(console: console), ShowImagePresenter.init)
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
