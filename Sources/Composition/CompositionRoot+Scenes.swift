import FoundationEssentials
import Glibc
import LibraryFiles
package import Models
import SQLiteCache
package import Scenes
import Settings
import Sync
package import Workers

/// Methods that make scenes and connect them with the workers.
extension CompositionRoot {
  package func syncFeeds(
    presenter: any SyncFeedsPresentationLogic
  ) -> any SyncFeedsBusinessLogic {
    SyncFeedsInteractor(
      presenter: presenter,
      library: store,
      manager: store,
      worker: SyncWorker(tools: syncTools),
      settings: settings.feeds.feeds,
      tellers: settings.tellers
    )
  }

  /// The scene of a list without a route to other scenes.
  package func listImages(
    presenter: any ListImagesPresentationLogic
  ) -> any ListImagesBusinessLogic & ListImagesDataStore {
    ListImagesInteractor(
      presenter: presenter,
      library: store,
      decoder: decoders,
      timelines: timelines,
      pins: store,
      details: store,
      isAway: PictureFolder().isAway
    )
  }

  /// The path of a stored original's file; nil when this disk does not have it.
  package func file(of original: PictureInfo) -> String? {
    if let place = original.place { return access(place, F_OK) == 0 ? place : nil }
    guard let hash = original.hash else { return nil }
    let folder = LibraryFolder(location.path)
    let path = folder.original(sha256: hash.hexadecimal, original.format)
    return access(path, F_OK) == 0 ? path : nil
  }

  package func listImages(
    presenter: any ListImagesPresentationLogic,
    navigation: any ListImagesNavigation
  ) -> ListImagesScene {
    ListImagesScene(interactor: listImages(presenter: presenter), navigation: navigation)
  }

  package func listTimeline(
    presenter: any ListTimelinePresentationLogic
  ) -> any ListTimelineBusinessLogic {
    ListTimelineInteractor(presenter: presenter, library: store, timelines: timelines)
  }

  /// The scene of a list with a route to the scenes of its images.
  ///
  /// - Parameters:
  ///   - listPresenter: The presenter of the list.
  ///   - presenter: The presenter of each image.
  ///   - opener: Opens originals with another program.
  ///   - details: Reads what cameras have written into originals; nil for the decoders without a limit.
  ///   - show: Makes the requests of an image's scene.
  /// - Returns: The scene of the list.
  package func showImages(
    listPresenter: any ListImagesPresentationLogic,
    presenter: any ShowImagePresentationLogic,
    opener: any PictureOpening,
    details: (any DetailsDecoding)? = nil,
    _ show: @escaping (any ShowImageBusinessLogic) async -> Void
  ) -> ListImagesScene {
    let navigation = ImmediateNavigation(
      makeScene: { showImage(presenter: presenter, opener: opener, details: details) },
      show: show
    )
    return listImages(presenter: listPresenter, navigation: navigation)
  }

  package func showImage(
    presenter: any ShowImagePresentationLogic,
    opener: any PictureOpening,
    details: (any DetailsDecoding)? = nil
  ) -> ShowImageScene {
    ShowImageScene(
      interactor: ShowImageInteractor(
        presenter: presenter,
        library: store,
        originalWorker: originalWorker,
        exporter: PictureExporter(),
        opener: opener,
        decoder: decoders,
        marker: store,
        pins: store,
        pauses: store,
        details: detailsReader(details ?? decoders)
      )
    )
  }

  package func listFeeds(
    presenter: any ListFeedsPresentationLogic
  ) -> any ListFeedsBusinessLogic {
    ListFeedsInteractor(presenter: presenter, library: store, manager: store, pauses: store)
  }

  package func checkLibrary(
    presenter: any CheckLibraryPresentationLogic
  ) -> any CheckLibraryBusinessLogic {
    CheckLibraryInteractor(
      presenter: presenter,
      library: store,
      verifier: LibraryVerifier(
        library: store,
        repairer: PictureRepairer(tools: syncTools),
        objects: objects,
        imaging: decoders,
        details: detailsReader
      ),
      cleaner: objects.map { ObjectCleaner(store, $0) } ?? store,
      pauses: store,
      place: (location.name, { [store] in (try? await store.isBackup()) == true }),
      remedies: { [location] in
        CheckLibrary.DatabaseRemedies(
          folder: location.database == nil ? location.path : nil,
          backup: BackupNotes.places(of: LibraryFolder(location.path)).first
        )
      }
    )
  }

  /// The scene that exports a site; `site` makes the files.
  package func exportLibrary(
    presenter: any RunPresentationLogic<ExportLibrary.ExportSite>,
    site: any SiteMaking
  ) -> any ExportLibraryBusinessLogic {
    ExportLibraryInteractor(
      presenter: presenter,
      library: store,
      exporter: SiteExporter(
        library: store,
        site: site,
        openFolder: SiteFolders(besides: LibraryFolder(location.path)).open,
        originals: returningOriginals,
        keys: store,
        sha256: SHA256.ofThumbnail
      )
    )
  }

  package func exportFiles(
    presenter: any ExportFilesPresentationLogic
  ) -> any ExportFilesBusinessLogic {
    ExportFilesInteractor(
      presenter: presenter,
      library: store,
      exporter: fileExporter,
      folders: store
    )
  }

  /// The scene that copies the library to that of another composition root.
  ///
  /// - Parameters:
  ///   - other: The composition root of the copy.
  ///   - purpose: What the copy is for.
  ///   - isLeftOut: Whether a restored library does without some of the backup's files.
  ///   - isVerified: Whether all that the copy has already is read, and copied again if it is damaged.
  ///   - beginsAnother: Whether a backup begins in a folder from which an earlier one is gone, or in place of a damaged
  ///     one.
  ///   - acceptsRemovals: Whether the copy may lose as many images as the library has lost.
  ///   - presenter: The presenter of the scene.
  /// - Returns: The scene.
  package func moveLibrary(
    to other: CompositionRoot,
    for purpose: CopyPurpose,
    without isLeftOut: (tokens: Bool, settings: Bool) = (false, false),
    verified isVerified: Bool = false,
    another beginsAnother: Bool = false,
    acceptsRemovals: Bool = false,
    presenter: any RunPresentationLogic<MoveLibrary.Move>
  ) -> any MoveLibraryBusinessLogic {
    let hasSameObjects = objects?.objects.name == other.objects?.objects.name
    let folders = (LibraryFolder(location.path), LibraryFolder(other.location.path))
    var files = CompanionFiles(from: folders.0, to: folders.1, isRestored: purpose == .restore)
    if purpose != .move {
      if !isLeftOut.tokens { files.addTokens() }
      let path = ConfigurationFile.path(in: settings.environment)
      if let path, !isLeftOut.settings { files.addSettings(path) }
    }
    let isFolder = other.location.database == nil
    let notes = isFolder && purpose == .backup ? BackupNotes(of: folders.0, at: folders.1) : nil
    let mover = LibraryMover(
      from: store,
      named: location.name,
      to: other.store,
      at: other.location.name,
      originals: OriginalCopier(
        from: folders.0,
        to: folders.1,
        links: purpose == .move,
        readsAll: isVerified
      ),
      hasSameObjects: hasSameObjects,
      objects: hasSameObjects ? nil : other.objects,
      for: purpose,
      verifiedBy: isVerified ? other.store : nil,
      acceptsRemovals: acceptsRemovals,
      begin: { [store, location] () async throws(StoreError) in
        if isFolder {
          try folders.1.checkNoLinksForCopy()
        } else if await !Self.hasLibrary(other.store) {
          try folders.1.checkNoLinksForFirstCopy()
        }
        if isFolder, purpose == .move { try folders.1.checkNoOtherFiles() }
        if !beginsAnother {
          try notes?.check()
        } else if await Self.isDamaged(folders.1) {
          // A library that is damaged itself may need even a damaged backup in its place.
          if let fault = try await store.databaseFaults().first {
            throw StoreError(reason: .unsound, path: location.name, message: fault)
          }
          try notes?.setAside(Date())
        }
      },
      copyFiles: { [files] () throws(StoreError) in try files.copy() },
      end: { notes?.add(Date()) },
      bringBack: bringBack
    )
    return MoveLibraryInteractor(
      presenter: presenter,
      library: store,
      mover: mover,
      purpose: purpose,
      place: other.location.name,
      isVerified: isVerified,
      hasWholeBackup: {
        // Another library, or its backup, may be there, too.
        guard notes?.isNoted == true else { return false }
        return (try? await SQLiteLibrary(folder: folders.1.path).databaseFaults()) == []
      },
      knowsBackup: { notes?.isNoted == true }
    )
  }

  /// Whether a store has a library, or the unfinished copy of one; also true for one that cannot be read.
  ///
  /// A database that is lost has none, whatever its folder still has.
  private static func hasLibrary(_ store: any LibraryCopying) async -> Bool {
    do throws(StoreError) {
      try await store.withState { (state) throws(StoreError) in _ = try state.header() }
      return true
    } catch {
      switch error.reason {
      case .noLibrary, .lostDatabase: return false
      default: return true
      }
    }
  }

  /// Whether a check finds damage in the database of a library in a folder; opens it apart from other connections.
  private static func isDamaged(_ folder: LibraryFolder) async -> Bool {
    do throws(StoreError) {
      return try await !SQLiteLibrary(folder: folder.path).databaseFaults().isEmpty
    } catch {
      return [.unreadable, .unsound].contains(error.reason)
    }
  }

  /// The scene that makes a new library, at the location of another composition root, from this damaged one.
  package func recoverLibrary(
    to other: CompositionRoot,
    presenter: any RunPresentationLogic<RecoverLibrary.Recover>
  ) -> RecoverLibraryInteractor {
    RecoverLibraryInteractor(
      presenter: presenter,
      recovery: LibraryRecovery(from: location.path, to: other.location.path),
      place: other.location.path
    )
  }
}

/// Shows the scene of an image immediately after its selection.
private struct ImmediateNavigation: ListImagesNavigation {
  let makeScene: () -> ShowImageScene
  let show: (any ShowImageBusinessLogic) async -> Void

  func makeShowImageScene() -> ShowImageScene { makeScene() }

  func navigateToShowImage(_ destination: ShowImageScene) async {
    await show(destination.interactor)
  }
}

extension ListImagesScene {
  /// Selects an image and shows its scene, unless the image does not exist or the query does not match it.
  package func showImage(_ id: Int64, in query: ImageQuery? = nil) async {
    await interactor.selectImage(request: .init(id: id, in: query))
    if router.dataStore.selectedImage != nil { await router.routeToShowImage() }
  }

  /// Shows the scenes of images, as long as they are wanted; of a range, those that exist.
  package func showImages(_ lists: [IDList], while areWanted: () -> Bool = { true }) async {
    for part in lists.flatMap(\.parts) {
      var isFound = false
      for id in part where areWanted() {
        var request = ListImages.SelectImage.Request(id: id)
        if part.count > 1 {
          let isLast = id == part.upperBound
          request.failure = isLast && !isFound ? .noSuchImages(ids: part) : nil
        }
        await interactor.selectImage(request: request)
        guard router.dataStore.selectedImage != nil else { continue }
        isFound = true
        await router.routeToShowImage()
      }
    }
  }
}
