package import Models

/// A folder with named files that each sync brings up to date.
package struct FollowedFolder: Sendable, Equatable {
  /// An absolute path.
  package var path: String
  /// Which images.
  package var query: ImageQuery
  package var template: NameTemplate
  package var sidecars: SidecarFormat?
  /// Whether a sync has said that it is not there.
  package var isMissing: Bool

  package init(
    path: String,
    query: ImageQuery,
    template: NameTemplate,
    sidecars: SidecarFormat?,
    isMissing: Bool = false
  ) {
    self.path = path
    self.query = query
    self.template = template
    self.sidecars = sidecars
    self.isMissing = isMissing
  }
}

/// Keeps the folders that syncs export to.
package protocol FolderFollowing: Sendable {
  /// The folders, by path.
  func followedFolders() async throws(StoreError) -> [FollowedFolder]

  /// Adds a folder, or gives it other images and names.
  func follow(_ folder: FollowedFolder) async throws(StoreError)

  /// Forgets a folder, if it is known.
  func unfollow(folderAt path: String) async throws(StoreError)
}
