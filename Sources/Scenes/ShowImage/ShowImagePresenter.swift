import Models
import Workers

/// What the interactor tells, whoever listens.
package protocol ShowImagePresentationLogic {
  func presentThumbnail(response: ShowImage.FetchThumbnail.Response)
  func presentProgress(response: ShowImage.FetchOriginal.Progress.Response)
  func presentOriginal(response: ShowImage.FetchOriginal.Response)
  func presentUnavailableOriginal(response: ShowImage.FetchOriginal.Unavailable.Response)
  func presentDescription(response: ShowImage.DescribeImage.Response)
  func presentFailure(response: ShowImage.Fail.Response)
}

/// What a display for people shows.
package protocol ShowImageDisplayLogic {
  func displayThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel)
  func displayProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel)
  func displayOriginal(viewModel: ShowImage.FetchOriginal.ViewModel)
  func displayUnavailableOriginal(viewModel: ShowImage.FetchOriginal.Unavailable.ViewModel)
  func displayDescription(viewModel: ShowImage.DescribeImage.ViewModel)
  func displayFailure(viewModel: ShowImage.Fail.ViewModel)
}

/// Turns what the interactor tells into finished text for people.
package struct ShowImagePresenter: ShowImagePresentationLogic {
  private let display: any ShowImageDisplayLogic

  package init(display: any ShowImageDisplayLogic) { self.display = display }

  package func presentThumbnail(response: ShowImage.FetchThumbnail.Response) {
    let text = Wording.thumbnail(response.thumbnail, of: response.image)
    display.displayThumbnail(viewModel: .init(text: text, outcome: response.outcome))
  }

  package func presentProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    let line = Wording.progressLine(received: response.received, total: response.total)
    display.displayProgress(viewModel: .init(line: line))
  }

  package func presentOriginal(response: ShowImage.FetchOriginal.Response) {
    display.displayOriginal(
      viewModel: .init(
        text: Wording.original(response.original, wasDownloaded: response.wasDownloaded),
        path: path(of: response)
      )
    )
  }

  package func presentUnavailableOriginal(
    response: ShowImage.FetchOriginal.Unavailable.Response
  ) {
    display.displayUnavailableOriginal(
      viewModel: .init(message: Wording.message(response), outcome: response.outcome)
    )
  }

  package func presentDescription(response: ShowImage.DescribeImage.Response) {
    display.displayDescription(viewModel: .init(fields: Wording.description(of: response.image)))
  }

  package func presentFailure(response: ShowImage.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }

  private func path(of response: ShowImage.FetchOriginal.Response) -> String? {
    switch response.copy {
    case nil: response.original.path
    case .file(let path, _): path
    case .standardOutput: nil
    }
  }
}

extension ShowImage.FetchThumbnail.Response {
  var outcome: Outcome? { isAll ? .done : nil }
}

extension ShowImage.FetchOriginal.Unavailable.Response {
  /// An older picture that is shown in its place makes the request done.
  var outcome: Outcome { stale == nil ? .unavailable : .done }
}
