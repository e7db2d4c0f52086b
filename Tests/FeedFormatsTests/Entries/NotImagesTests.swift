import Models
import Testing
import Workers

@testable import FeedFormats

struct NotImagesTests {
  @Test(arguments: [
    "url='https://a.b/pixel.gif' width='1' height='1' type='image/gif'",
    "url='https://a.b/pixel.gif' width='2' height='2' type='image/gif'",
    "url='https://a.b/bullet.png' width='31' height='400' medium='image'",
    "url='data:image/gif;base64,R0lGODlhAQABAAAAACw=' type='image/gif'",
    "url='https://1.gravatar.com/avatar/abc?s=96' medium='image'",
    "url='javascript:alert(1)' medium='image'",
    "url='file:///etc/picture.png' medium='image'",
    "url='http:///c.jpg'",
    "url='https://:80/c.jpg'",
    "url='https://?c.jpg' medium='image'",
    "url='https://user@/c.jpg'",
    "url='https://user:80@/c.jpg'",
    "url='http://:80/c.jpg'",
    "url='https://[::1/c.jpg'",
    "url='https://a.b/c.mp4' type='video/mp4' medium='image'",
    "url='https://a.b/c.jpg' type='audio/mpeg'",
    "url='https://a.b/c.pdf' type='application/pdf'",
    "url='https://a.b/c.jpg' medium='video'",
    "url='https://a.b/npr-rss-pixel.png' medium='image'",
    "url='https://a.b/b/ss/c/1.gif' medium='image'",
    "url='https://a.b/page'",
    "url='https://a.b/c' type='application/octet-stream' width='900' height='600'",
    "url='https://a.b/c.jpg' type='video/mp4'",
    "url='https://a.b/film.mp4' width='900' height='600'",
    "url='https://a.b/c.jpg' width='16' height='16'",
    "url='https://a.b/c.jpg' width='1' height='1'",
    "",
  ])
  func `leaves out what is not an image`(attributes: String) throws {
    let read = try ReadDocument.rss("<item><media:content \(attributes)/></item>")

    #expect(read.originals == [])
    #expect(read.document.format == .rss)
  }

  @Test(arguments: [
    "url='https://a.b/c' type='image/jpeg'",
    "url='https://a.b/c' type='IMAGE/PNG'",
    "url='https://a.b/c' medium='image'",
    "url='https://a.b/c' type='text/html' medium='image'",
    "url='https://a.b/c.JPEG'",
    "url='https://a.b/c.webp?w=1' type='application/octet-stream'",
    "url='https://a.b/c.jpg' width='32' height='32'",
    "url='https://a.b/c.jpg' width='16' height='9' medium='image'",
    "url='https://a.b/c.jpg' width='2' height='3'",
    "url='https://a.b/c.jpg' type='application/force-download'",
    "url='https://a.b/c.jpg' type='application/download'",
    "url='https://a.b/c.jpg' type='application/unknown'",
    "url='https://a.b/c.jpg' type='unknown/unknown'",
    "url='https://a.b/c.jpg' type='application/x-octet-stream'",
    "url='https://a.b/c.jpg' type='*/*'",
    "url='https://a.b/c.jpg' type='text/plain; charset=utf-8'",
    "url='https://a.b/c' type='img/jpeg'",
    "url='https://a.b/c' type='images/png'",
    "url='https://a.b/c' type='application/jpg'",
    "url='https://a.b/c' type='jpg'",
    "url='https://a.b/c.jpg;v=2'",
    "url='https://a.b/img/2' width='900' height='600'",
    "url='https://a.b/c.jpg' width='0' height='0'",
    "url='https://a.b/pixel.png' width='640' height='480'",
    "url='HTTPS://A.B/c.jpg'",
    "url='https://a.b?c.jpg' medium='image'",
    "url='https://user:password@a.b:8080/c.jpg'",
    "url='https://[::1]:8080/c.jpg'",
    "url='http://a.b:8080/c.jpg'",
    "url='http://a.b:/c.jpg'",
    "url='https://ä.b/c.jpg'",
  ])
  func `takes what is one`(attributes: String) throws {
    let read = try ReadDocument.rss("<item><media:content \(attributes)/></item>")

    #expect(read.originals.count == 1)
    #expect(read.document.format == .mediaRSS)
  }

  @Test func `takes files only from a file`() throws {
    let list = "[\"file:///home/jo/a.png\"]"

    #expect(throws: (any Error).self) { try ReadDocument(list) }
    #expect(throws: Never.self) {
      try ReadDocument("[\"a.png\"]", address: "file:///home/jo/l.json")
    }
  }

  @Test func `never takes a channel's own logo for an image`() throws {
    let read = try ReadDocument.rss(
      """
      <image><url>https://a.b/logo.png</url></image><itunes:image href="https://a.b/logo.png"/>
      <item><title>One</title></item>
      """
    )

    #expect(read.images == [])
  }
}

struct DecorationTests {
  @Test(arguments: [
    "src='https://a.b/p.gif' width='1' height='1'",
    "src='https://a.b/p.gif' width=2px height=2px",
    "src='https://a.b/p.gif' width='0' height='0'",
    "src='https://a.b/p.gif' height='31'",
    "src='https://a.b/p.gif' style='width: 1px; height: 1px'",
    "src='https://a.b/p.gif' style='display:none'",
    "src='https://a.b/p.gif' class='big wp-smiley'",
    "src='data:image/gif;base64,R0lGODlhAQABAAAAACw='",
    "src='https://secure.gravatar.com/avatar/abc?s=96'",
    "src='https://a.b/wp-includes/images/smilies/icon_smile.gif'",
    "src='https://s.w.org/images/core/emoji/2.2.1/72x72/1f389.png'",
    "src='http://feeds.feedburner.com/~ff/a?d=yIl2AUoC8zA'",
    "src='http://feeds.a.b/~r/a/~4/lTnHFI_mRTg'",
    "src='http://feeds.wordpress.com/1.0/comments/a.wordpress.com/1/'",
    "src='https://medium.com/_/stat?event=post.clientViewed'",
    "src='https://a.b/star_11x11.gif'",
    "src='https://a.b/p.gif' width='16' height='16'",
    "src='https://a.b/p.gif' width='16' height='11'",
    "src='https://a.b/p.gif' width='2' height='1'",
    "src='https://a.b/flag-16x16.png'",
    "src='https://a.b/spacer.gif'",
    "src='https://a.b/tracking/npr-rss-pixel.png?story=12'",
    "src='https://a.b/t/PIXEL.gif'",
    "src='https://a.b/content/12/count.gif?distributor=x'",
    "src='https://a.122.2o7.net/b/ss/site/1/H.27/s1?pageName=x'",
    "src='https://static.addtoany.com/buttons/share.png'",
  ])
  func `leaves out what serves the page and not the reader`(attributes: String) throws {
    let read = try ReadDocument.rss(
      "<item><description><![CDATA[<p><img \(attributes)></p>]]></description></item>"
    )

    #expect(read.originals == [])
  }

  @Test(arguments: [
    "src='https://a.b/1.jpg' width='32' height='32'",
    "src='https://a.b/1.jpg' width='100%' height='auto'",
    "src='https://a.b/1.jpg' style='width:20em'",
    "src='https://a.b/1.jpg' class='alignright size-large'",
    "src='https://a.b/photo-3x2.jpg'",
    "src='https://a.b/photo_1x1.jpg'",
    "src='https://a.b/16x9/1.jpg'",
    "src='https://a.b/photo-640x480.jpg'",
    "src='https://a.b/pixels.jpg'",
    "src='https://a.b/google-pixel.png'",
    "src='https://pixel.b/media/1.png'",
    "src='https://a.b/count.jpg'",
    "src='https://a.b/1.jpg' width='16' height='9' style='width:100%;height:auto'",
    "src='https://a.b/1.jpg' width='3' height='2'",
    "src='https://a.b/1.jpg' srcset='https://a.b/2.jpg 2000w' width='16' height='16'",
    "src='https://a.b/1.jpg' width='1' height='1' style='width: 100%'",
    "src='https://a.b/1.jpg' width='9' height='16'",
    "src='https://a.b/print-24x24.jpg'",
    "src='https://a.b/print-24x24.png' width='1200' height='1200'",
    "src='https://a.b/led-16x16.png' srcset='https://a.b/led-16x16-l.png 2000w'",
    "src='https://a.b/page-12x12-inch.jpg'",
  ])
  func `takes what is a picture`(attributes: String) throws {
    let read = try ReadDocument.rss(
      "<item><description><![CDATA[<p><img \(attributes)></p>]]></description></item>"
    )

    #expect(read.originals.count == 1)
  }

  @Test(arguments: [
    "https://www.facebook.com/sharer.php?u=x", "https://twitter.com/intent/tweet?text=x",
    "mailto:?subject=x", "http://feeds.wordpress.com/1.0/godelicious/a/1/",
  ])
  func `leaves out the buttons of links for sharing`(address: String) throws {
    let button = "<a href='\(address)'><img src='https://a.b/button.png'></a>"

    let read = try ReadDocument.rss(
      "<item><description><![CDATA[\(button)]]></description></item>"
    )

    #expect(read.originals == [])
  }
}
