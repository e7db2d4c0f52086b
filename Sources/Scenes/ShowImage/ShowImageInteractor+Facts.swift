import Models
import Workers

/// What the library says of the image, without a picture.
extension ShowImageInteractor {
  package func describeImage() async {
    guard let image else { return }
    do throws(RequestFailure) {
      let original = try await storedOriginal(of: image)
      presenter.presentDescribedImage(response: .init(image: image, original: original))
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func explainImage() async {
    guard let image else { return }
    do throws(StoreError) {
      guard let storage = try await library.storage(imageID: image.id) else {
        return presenter.presentFailure(response: .init(failure: .noSuchImage(id: image.id)))
      }
      presenter.presentExplainedImage(response: .init(image: image, storage: storage))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .show)))
    }
  }

  /// Presents the image as it is from now on.
  package func pinImage(request: ShowImage.PinImage.Request) async {
    guard let id = image?.id else { return }
    do throws(StoreError) {
      guard try await pins.setPinned(request.isPinned, imageID: id) else {
        return presenter.presentFailure(response: .init(failure: .noSuchImage(id: id)))
      }
      image?.isPinned = request.isPinned
      await describeImage()
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .show)))
    }
  }
}
