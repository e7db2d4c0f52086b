/// A step that a fake store can be told to fail at.
enum StoreStep: Sendable {
  case findFeed
  case makeWriter
  case findMembers
  case findListed
  case append
  case endDocument
  case restartDocument
  case keepMember
  case finish
  case breakOff
  case noteSync
  case checkRoom
  case checkRoomOfOriginal
  case flush
  case lookForThumbnails
  case countThumbnails
  case orderThumbnails
  case secondPageOfThumbnails
  case storeThumbnails
  case findDueThumbnails
  case countUnmade
  case storeMade
  case countOriginals
  case orderOriginals
  case findDueOriginals
  case noteOriginals
  case makeOriginalFile
  case findOriginal
  case resumeOriginal
  case restartOriginal
  case appendToOriginal
  case renewOriginal
  case commitOriginal
}
