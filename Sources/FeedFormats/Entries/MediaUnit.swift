/// One medium of an entry: a `media:group` with its renditions, or a `media:content` alone.
struct MediaUnit {
  let isGroup: Bool
  var renditions: [Candidate] = []
  var thumbnails: [Candidate] = []
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?
}
