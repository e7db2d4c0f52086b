import Scenes
import Terminal

/// All that happens to a browser, in one stream: keys, and what tasks in the background found.
enum BrowseEvent: Sendable {
  case terminal(TerminalInputSource.Event)
  /// A page of the list with a number, which changes when another list is shown.
  case listed(ListedPage, of: ImageGrid.PageRequest, list: Int)
  /// The pages around the selection, after a change of the library.
  case refreshed(ListedPage, of: ImageGrid.PageRequest, list: Int)
  /// The number of images in a list, nil when it cannot be told, and how long it took to count them.
  case counted(Int?, list: Int, taking: Duration)
  /// A tile's picture; nil when it cannot be decoded.
  case decoded(Picture?, for: BrowseDrawing.TileKey)
  /// What the scene of an image displays; the number tells the scenes apart.
  case displayed(@Sendable (ImageDisplay) -> Void, scene: Int)
  case feeds(@Sendable (FeedListDisplay) -> Void)
  case libraryChanged
  case message(String)
  case syncing(ProgressLine)
  case syncEnded(String?)
  /// A signal asks the program to end.
  case stopped
  /// It is time for the next picture of a slide show; the number tells the waits apart.
  case slideDue(Int)
}
