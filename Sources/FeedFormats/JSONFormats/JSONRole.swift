/// What a member of an object in a JSON list is for, by its name.
struct JSONRole {
  enum Kind: Int, CaseIterable {
    case id
    case title
    case caption
    case author
    case licence
    case date
    case page
    case width
    case height
    case type
    /// The full picture: an address, or an object of sizes.
    case original
    /// An address that may as well be the web page's.
    case address
    case thumbnail
    /// A list of pictures, or an object around one.
    case pictures
    /// Pictures beside the one that `original` names.
    case furtherPictures
    /// Words about the entry, put together in an object.
    case words
    /// People and tags, whose pictures are not the entry's.
    case foreign
  }

  let kind: Kind
  /// Where several names mean the same, the one with the lower rank counts.
  let rank: Int

  /// The role of a name as it stands, else as it sounds; capitals, underscores and hyphens in it
  /// make no difference.
  init?(name: String) {
    var bytes: [UInt8] = []
    for byte in name.utf8 where byte.isLetter || byte.isDigit || byte > 0x7F {
      bytes.append(byte.lowercased)
    }
    let plain = String(decoding: bytes, as: UTF8.self)
    guard let role = Self.table[name] ?? Self.table[plain] else { return nil }
    self = role
  }

  private init(kind: Kind, rank: Int) {
    self.kind = kind
    self.rank = rank
  }

  private static let table: [String: JSONRole] = {
    var table: [String: JSONRole] = [:]
    for (kind, names) in names {
      for (rank, name) in names.split(whereSeparator: \.isWhitespace).enumerated() {
        table[String(name)] = JSONRole(kind: kind, rank: rank)
      }
    }
    return table
  }()

  /// The names of each kind, the most telling first; where a name has two meanings, the later
  /// kind counts.
  private static let names: [(kind: Kind, names: String)] = [
    (.id, "id guid uuid identifier imageid photoid imgid objectid pageid foreignidentifier slug"),
    (.title, "title headline name imagetitle displaytitle objectname titles"),
    (
      .caption,
      """
      caption explanation imagealt description summary abstract details alt altdescription text
      content descriptiontext imagedescription
      """
    ),
    (
      .author,
      """
      photographer artist author creator artistdisplayname artistnames authorname creatorname
      ownername username user owner account uploader byline credit copyright displayname
      creators artists authors production nonpresenterauthors
      """
    ),
    (
      .licence,
      """
      licenseshortname license licence licensename licenseurl licenceurl rights
      sharelicensestatus usageterms imagerights
      """
    ),
    (
      .date,
      """
      published publishedat datepublished pubdate date datetaken takenat createdat created
      creationtime timestamp createdutc uploadedat uploaded dateupload earthdate dateadded
      updatedat modified lastmodified datetimeoriginal
      """
    ),
    (
      .page,
      """
      pageurl permalink page webpage foreignlandingurl descriptionurl objecturl htmlurl shorturl
      website link
      """
    ),
    (.width, "width imagewidth imgwidth owidth w originalwidth"),
    (.height, "height imageheight imgheight oheight h originalheight"),
    (.type, "mediatype type mimetype mime medium filetype imagemimetype"),
    (
      .original,
      """
      original originalurl originalimage imageoriginal originalsrc hdurl fullhdurl highres
      downloadurl fullurl full raw rawurl urlo largeimageurl largeurl imageurl imageuri
      imgurl imgsrc imagesrc imagehref photourl photouri pictureurl primaryimage imagenative
      fileurl sourceurl contenturl mediaurl urls src image img photo picture urlk urlh urll
      urlc urlz url_m urln url_s urlt urlq urlsq webformaturl large source images media file
      cover links googleteaser pinterestimage
      """
    ),
    (.address, "url href uri link"),
    (
      .thumbnail,
      """
      thumbnail thumbnailurl thumburl thumb thumbnailuri thumbnailsrc thumbsrc thumbnails sizes
      mediadetails previewurl primaryimagesmall imagethumbnail smallurl small
      imagesmall mediumurl medium
      smallimage smallimageurl tiny poster posterurl resolutions
      """
    ),
    (
      .pictures,
      """
      preview imageinfo mediaattachments attachments photos pictures gallery coverphoto
      featuredmedia data item node attributes
      """
    ),
    (.furtherPictures, "additionalimages moreimages otherimages alternateimages"),
    (.words, "metadata extmetadata"),
    (
      .foreign,
      """
      tags profileimage profile sponsorship sponsor avatar avatarurl icon logo topics
      categories related relatedcollections previewphotos exif location camera rover
      """
    ),
  ]
}

/// Remembers the roles of the names that a document uses: all its entries use the same few.
struct JSONRoles {
  private var known: [String: JSONRole?] = [:]

  mutating func role(of name: String) -> JSONRole? {
    if let role = known[name] { return role }
    let role = JSONRole(name: name)
    if known.count < FormatLimits.rememberedNames { known[name] = .some(role) }
    return role
  }
}
