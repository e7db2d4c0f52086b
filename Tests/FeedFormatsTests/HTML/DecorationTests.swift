import Models
import Testing

@testable import FeedFormats

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
    "src='https://a.b/spacer.gif'",
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
