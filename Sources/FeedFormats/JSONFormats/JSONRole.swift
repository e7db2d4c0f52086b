/// The purpose of a member of an object in a JSON list, by its name.
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
    /// The length of the picture's file.
    case bytes
    case type
    /// The full picture: an address, or an object of sizes.
    case original
    /// An address that may be the picture's or the web page's.
    case address
    case thumbnail
    /// A list of pictures, or an object around such a list.
    case pictures
    /// Pictures in addition to the one in `original`.
    case furtherPictures
    /// An object of words about the entry.
    case words
    /// An album, a blog or a site: its pictures are not the entry's, but it may contain the list.
    case holder
    /// Avatars, icons and tags, whose pictures are never the entry's.
    case foreign
  }

  let kind: Kind
  /// The priority among several names with one purpose; the lowest rank wins.
  let rank: Int

  /// Whether the table contains the name; otherwise the words in the name decide.
  var isKnown: Bool { rank < Self.rankByWords }

  /// The lowest rank of a name that is known only by its words.
  static let rankByWords = 500

  /// The role of a name by its spelling, else by its plain form, by the part behind its prefix, or by the words in it.
  init?(name: String, plain: String) {
    if let role = Self.table[name] ?? Self.table[plain] ?? Self.role(behindPrefixOf: name) {
      self = role
    } else if let kind = Self.kind(byWordsIn: plain) {
      self.init(kind: kind, rank: Self.rankByWords)
    } else {
      return nil
    }
  }

  private init(kind: Kind, rank: Int) {
    self.kind = kind
    self.rank = rank
  }

  /// The role of a name with a prefix: `XMP:Title` of exiftool with `-G`, `og:description`, `schema:datePublished`.
  ///
  /// Only words and sizes count: an address with a prefix has its role by the words in its name. So do the words about
  /// another person (`owner:name`), and the size of a small picture (`thumbnail:width`).
  private static func role(behindPrefixOf name: String) -> JSONRole? {
    guard let colon = name.lastIndex(of: ":") else { return nil }
    let last = JSONName.plain(name[name.index(after: colon)...])
    // `media:content` is a picture (Media RSS 1.5.1).
    guard let role = table[last], last != "content" else { return nil }
    let owner = kind(byWordsIn: JSONName.plain(name[..<colon]))
    let rank = role.rank + rankOfPrefix
    switch role.kind {
    case .author: return JSONRole(kind: .author, rank: rank)
    case .title, .caption, .licence, .date, .page, .width, .height:
      return owner == nil || owner == .original ? JSONRole(kind: role.kind, rank: rank) : nil
    // `og:image:url` is that of the picture.
    case .address: return owner == nil ? JSONRole(kind: .page, rank: rank) : nil
    default: return nil
    }
  }

  /// What a prefix adds to the rank of a name, so that a name without one is better.
  private static let rankOfPrefix = 100

  /// The purpose by the words in a name: `userImageURL` is foreign, `photo_thumb` is a thumbnail.
  private static func kind(byWordsIn plain: String) -> Kind? {
    words.first { _, words in words.contains { plain.contains($0) } }?.kind
  }

  /// Parts of names, in lower case without punctuation; the first kind with a matching part counts.
  private static let words: [(kind: Kind, words: [String])] = [
    (
      .foreign,
      [
        "avatar", "icon", "logo", "profile", "portrait", "author", "user", "owner", "emoji",
        "badge", "award", "header", "banner", "sponsor", "publisher", "taxon", "primarytag", "iiif",
        "community", "reply", "parentpost",
      ]
    ),
    (.page, ["permalink", "pageurl", "landing", "weburl", "weburi", "shorturl"]),
    (.thumbnail, ["thumb", "previewurl", "previewfile"]),
    (.furtherPictures, ["additionalimage", "alternateimage"]),
    (.original, ["image", "photo", "picture", "fullsize", "asseturl", "jpegurl", "sampleurl"]),
  ]

  private static let table: [String: JSONRole] = {
    var table: [String: JSONRole] = [:]
    for (kind, names) in names {
      for (rank, name) in names.split(whereSeparator: \.isWhitespace).enumerated() {
        table[String(name)] = JSONRole(kind: kind, rank: rank)
      }
    }
    return table
  }()

  /// The names of each kind, the most specific first; for a name with two meanings, the later kind counts.
  private static let names: [(kind: Kind, names: String)] = [
    (.id, "id guid uuid identifier imageid photoid imgid objectid pageid foreignidentifier slug"),
    (
      .title,
      """
      title headline fullname name imagetitle displaytitle objectname titles primarytitle speciesguess
      scientificname filename
      """
    ),
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
      creators artists authors production nonpresenterauthors createdby owners photographers
      primarymaker actor attributedto
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
      published publishedat datepublished pubdate date datetaken takenat taken createdat created
      creationtime timestamp createdutc uploadedat uploaded dateupload earthdate dateadded
      updatedat modified lastmodified subsecdatetimeoriginal datetimeoriginal takenattimestamp
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
    (.bytes, "sizeinbytes filesize filesizebytes bytes bytesize contentlength size"),
    (
      .type,
      "mediatype type mimetype mime medium filetype imagemimetype contenttype filemime format"
    ),
    (
      .original,
      """
      original originalurl originalimage imageoriginal originalsrc hdurl fullhdurl highres
      downloadurl full fullsize raw rawurl urlo largeimageurl largeurl imageurl imageuri
      imgurl imgsrc imagesrc imagehref photourl photouri pictureurl primaryimage imagenative
      fileurl sourceurl contenturl mediaurl urls src image img photo picture urlk urlh urll
      urlc urlz url_m urln url_s urlt urlq urlsq webformaturl large source images media file
      fullurl cover covers googleteaser pinterestimage sourcefile
      """
    ),
    (.address, "url href uri link"),
    (
      .thumbnail,
      """
      thumbnail thumbnailurl thumburl thumb thumbnailuri thumbnailsrc thumbsrc thumbnails sizes
      mediadetails previewurl primaryimagesmall imagethumbnail smallurl small
      imagesmall mediumurl medium
      smallimage smallimageurl tiny poster posterurl resolutions thumbs derivatives formats altsizes
      """
    ),
    (
      .pictures,
      """
      preview imageinfo mediaattachments attachments photos pictures gallery coverphoto
      featuredmedia data item node attributes links mediaasset
      """
    ),
    (.furtherPictures, "additionalimages moreimages otherimages alternateimages"),
    (.words, "metadata extmetadata record"),
    (.holder, "album collection channel site website blog community subreddit meta feed"),
    (
      .foreign,
      """
      tags tag profileimage profile sponsorship sponsor avatar avatarurl icon logo topics
      categories related relatedcollections previewphotos exif location camera rover taxon
      """
    ),
  ]

  /// Names under which an address counts only if there is no better one.
  ///
  /// The address may also be that of the picture's source.
  static let weak: Set<String> = lone.union([
    "mediaurl", "media", "cover", "ogimage", "twitterimage",
  ])

  /// Weak names that do not even say that it is a picture, so that its address must.
  static let lone: Set<String> = [
    "source", "sourceurl", "contenturl", "fileurl", "fullurl", "file", "downloadurl",
  ]
}

/// The meaning of a name in a JSON list: the purpose of its member, and the size that it suggests.
struct JSONName {
  let plain: String
  let role: JSONRole?
  let size: JSONSize?
  /// The rules of services whose mark is this name.
  let shapes: [JSONShape]
  /// Whether its member is a width or height.
  let isMeasure: Bool

  /// Whether an object with this name accompanies a list of entries, and is not one itself.
  var isBesideLists: Bool {
    switch role?.kind {
    case .author?, .holder?, .original?, .thumbnail?, .foreign?: true
    default: plain.contains("cover")
    }
  }

  init(_ name: String) {
    plain = Self.plain(name[...])
    role = JSONRole(name: name, plain: plain)
    size = JSONSize(plain: plain)
    shapes = JSONShape.byMark[name] ?? []
    isMeasure = plain.contains("width") || plain.contains("height")
  }

  /// A name in lower case, without punctuation.
  static func plain(_ name: Substring) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 where byte.isLetter || byte.isDigit || byte > 0x7F {
      bytes.append(byte.lowercased)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A cache of the meanings of names: all entries of a document use the same few.
struct JSONNames {
  private var known: [String: JSONName] = [:]

  subscript(_ name: String) -> JSONName {
    mutating get {
      if let known = known[name] { return known }
      let read = JSONName(name)
      if known.count < FormatLimits.rememberedNames { known[name] = read }
      return read
    }
  }
}
