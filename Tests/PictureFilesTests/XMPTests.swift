import Models
import Testing

@testable import PictureFiles

/// What programs have written into pictures as XMP.
struct XMPTests {
  private func details(_ packet: String) -> PictureDetails {
    var details = PictureDetails()
    details.complete(fromXMP: Array(packet.utf8))
    return details
  }

  private static let attributes = """
    <rdf:Description rdf:about="" tiff:Make="FUJIFILM" tiff:Model='X100V'
      aux:Lens = "Fujinon 23mm F2" exif:ExposureTime="1/250" exif:FNumber="28/10"
      exif:FocalLength="23/1" exif:DateTimeOriginal="2019-07-14T18:02:33.45+02:00"
      exif:GPSLatitude="48,51.502N" exif:GPSLongitude="2,17,40.02E"/>
    """

  private static let elements = """
    <tiff:Make>FUJIFILM</tiff:Make><tiff:Model>X100V</tiff:Model>
    <exifEX:LensModel>Fujinon 23mm F2</exifEX:LensModel><exif:FNumber>28/10</exif:FNumber>
    <exif:ISOSpeedRatings><rdf:Seq><rdf:li>200</rdf:li></rdf:Seq></exif:ISOSpeedRatings>
    """

  @Test func `attributes are read`() {
    var expected = EXIFTests.tower
    expected.sensitivity = nil

    #expect(details(Self.attributes) == expected)
  }

  @Test func `elements are read`() {
    let found = details(Self.elements)

    #expect(found.camera == "FUJIFILM X100V")
    #expect(found.lens == "Fujinon 23mm F2")
    #expect(found.aperture == 280)
    #expect(found.sensitivity == 200)
  }

  @Test func `what EXIF has said counts more`() {
    var details = EXIFTests.tower
    details.complete(fromXMP: Array(#" tiff:Model="Other" exif:FNumber="8/1" "#.utf8))

    #expect(details == EXIFTests.tower)
  }

  @Test(arguments: [
    #" exif:FNumber="28/0" "#, #" exif:FNumber="-28/10" "#, #" exif:FNumber="99999999999/1" "#,
    #" exif:FNumber="1/2/3" "#, " exif:FNumber=2.8 ", #" exif:FNumber="28/10"#,
    "<exif:FNumber>28/10", #"xexif:FNumber="28/10" "#, #" exif:FNumberX="28/10" "#,
    #" exif:DateTimeOriginal="2019-07-14" "#, #" tiff:Model="&#88;" "#, #" tiff:Model="" "#,
    #" exif:GPSLatitude="48,51.5N" "#, #" exif:GPSLatitude="91,0N" exif:GPSLongitude="2,0E" "#,
    #" exif:GPSLatitude="nan,0N" exif:GPSLongitude="2,0E" "#, "",
  ])
  func `what is not whole is absent`(packet: String) { #expect(details(packet).isEmpty) }

  @Test func `a value without an end does not take the rest of a long packet`() {
    let packet = #" tiff:Model=""# + String(repeating: "x", count: 100_000) + #"""#

    #expect(details(packet).isEmpty)
  }

  @Test func `references of XML are resolved`() {
    #expect(details(#" tiff:Model="A&amp;B &lt;1&gt;" "#).camera == "A&B <1>")
  }
}
