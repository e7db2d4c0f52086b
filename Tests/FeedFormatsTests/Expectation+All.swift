import Models

extension Expectation {
  static let all: [Expectation] = [
    Expectation(
      file: "jsonplaceholder-album1.json",
      format: .json,
      count: 50,
      first: Image(
        title: "accusamus beatae ad facilis cum similique qui sunt",
        thumbnail: "https://via.placeholder.com/150/92c952",
        original: "https://via.placeholder.com/600/92c952"
      ),
      last: Image(
        title: "et inventore quae ut tempore eius voluptatum",
        thumbnail: "https://via.placeholder.com/150/9e59da",
        original: "https://via.placeholder.com/600/9e59da"
      )
    ),
    Expectation(
      file: "unsplash-photos-small.json",
      format: .json,
      count: 2,
      first: Image(
        title: nil,
        thumbnail: unsplash + "photo-1556539813-c27cfcfda7e8" + unsplashThumbnail,
        original: unsplash + "photo-1556539813-c27cfcfda7e8" + unsplashOriginal
      ),
      last: Image(
        title: nil,
        thumbnail: unsplash + "photo-1556541829-832aa8fc36ff" + unsplashThumbnail,
        original: unsplash + "photo-1556541829-832aa8fc36ff" + unsplashOriginal
      )
    ),
    Expectation(
      file: "nasa-mars-rover.json",
      format: .json,
      count: 2,
      first: Image(
        title: nil,
        thumbnail: nil,
        original: rover + "RLB_542390316EDR_F0611908RHAZ00311M_.JPG"
      ),
      last: Image(
        title: nil,
        thumbnail: nil,
        original: rover + "RRB_542390316EDR_F0611908RHAZ00311M_.JPG"
      )
    ),
    single(
      file: "feedkit.json",
      format: .jsonFeed,
      image: Image(
        title: "Special #1 - Chris Parrish",
        thumbnail: nil,
        original: "https://example.org/image.jpg"
      )
    ),
    single(
      file: "granary-attachment-list.json",
      format: .jsonFeed,
      image: Image(title: nil, thumbnail: nil, original: "http://a/pic.gif")
    ),
    Expectation(
      file: "flickr-rss.xml",
      format: .mediaRSS,
      count: 10,
      first: Image(
        title: "Lights in the Rain",
        thumbnail: "http://static.flickr.com/22/96349506_6f022998be_s.jpg",
        original: "http://static.flickr.com/22/96349506_6f022998be_o.jpg"
      ),
      last: Image(
        title: "img_0073.jpg",
        thumbnail: "http://static.flickr.com/37/86512732_2f67a4086b_s.jpg",
        original: "http://static.flickr.com/37/86512732_2f67a4086b_o.jpg"
      )
    ),
    Expectation(
      file: "mastodon-rss.xml",
      format: .mediaRSS,
      count: 3,
      first: Image(
        title: nil,
        thumbnail: nil,
        original: mastodon + "100/027/057/original/94aa051201c933c6.png"
      ),
      last: Image(
        title: nil,
        thumbnail: nil,
        original: mastodon + "513/928/252/original/005201b20fde9798.png"
      ),
      isDamaged: true
    ),
    Expectation(
      file: "multiple-media.xml",
      format: .mediaRSS,
      count: 2,
      first: Image(
        title: nil,
        thumbnail: nil,
        original: "https://example.com/path/to/image1.png"
      ),
      last: Image(
        title: nil,
        thumbnail: nil,
        original: "https://example.com/path/to/image2.png"
      ),
      isDamaged: true
    ),
    single(
      file: "nasa.xml",
      format: .rss,
      image: Image(
        title: "NASA Television to Broadcast Space Station Departure of Cygnus Cargo Ship",
        thumbnail: nil,
        original: "http://www.nasa.gov/sites/default/files/styles/1x1_cardfeed/public/thumbnails"
          + "/image/47616261882_4bb534d293_k.jpg?itok=Djjjs81t"
      )
    ),
    Expectation(
      file: "windows-1251.xml",
      format: .rss,
      count: 10,
      first: Image(
        title: "В Бузулуке главные стройплощадки – детсад и Ледовый дворец",
        thumbnail: nil,
        original: "http://www.oren.ru/upload/iblock/be8/stroitelstvo_krany.jpg"
      ),
      last: Image(
        title: "Имя героя увековечат в названии одной из улиц нашего города",
        thumbnail: nil,
        original: "http://www.oren.ru/upload/iblock/271/aleksandrov_vyacheslav_aleksandrovich.jpg"
      )
    ),
    single(
      file: "relative-enclosure.xml",
      format: .rss,
      image: Image(
        title: "An item with a relative enclosure URL",
        thumbnail: nil,
        original: "https://kryogenix.org/images/me/hackergotchi-simpler.png"
      )
    ),
    single(
      file: "newscred.xml",
      format: .atom,
      image: Image(
        title: "The Day Off: Tampa",
        thumbnail: newscred + "?width=75&height=75",
        original: newscred + "/.jpeg"
      )
    ),
    Expectation(
      file: "youtube.xml",
      format: .atom,
      count: 15,
      first: Image(
        title: "The Google app: Questions Title",
        thumbnail: nil,
        original: "https://i2.ytimg.com/vi/5shykyfmb28/hqdefault.jpg"
      ),
      last: Image(
        title: "Veterans Make Great Googlers. Find your team: Specialists",
        thumbnail: nil,
        original: "https://i1.ytimg.com/vi/8ztbpW3THmI/hqdefault.jpg"
      )
    ),
  ]

  private static func single(file: String, format: FeedFormat, image: Image) -> Expectation {
    Expectation(file: file, format: format, count: 1, first: image, last: image)
  }
}

private let unsplash = "https://images.unsplash.com/"
private let unsplashThumbnail =
  "?ixlib=rb-1.2.1&q=80&fm=jpg&crop=entropy&cs=tinysrgb&w=200&fit=max&ixid=eyJhcHBfaWQiOjYwMzU0fQ"
private let unsplashOriginal =
  "?ixlib=rb-1.2.1&q=85&fm=jpg&crop=entropy&cs=srgb&ixid=eyJhcHBfaWQiOjYwMzU0fQ"
private let rover =
  "http://mars.jpl.nasa.gov/msl-raw-images/proj/msl/redops/ods/surface/sol/01632/opgs/edr/rcam/"
private let mastodon =
  "https://cdn.masto.host/frontendsocial/media_attachments/files/109/480/363/"
private let newscred = "https://www.example.com/Zz1hNjRiMWFjMzdhYWIzNTEwNjk2YjIzYjc5NWQxNWFlMA=="
