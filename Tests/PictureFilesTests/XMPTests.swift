import Models
import TestSupport
import Testing

@testable import PictureFiles

/// What programs have written into pictures as XMP.
struct XMPTests {
  private func details(_ packet: String) -> PictureDetails {
    PictureDetails(exif: [], xmp: [Array(packet.utf8)])
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
    let packet =
      #" tiff:Model="Other" exif:FNumber="8/1" exif:DateTimeOriginal="2001-01-01T00:00:00" "#
    let details = PictureDetails(exif: EXIFSample.tower().bytes, xmp: [Array(packet.utf8)])

    #expect(details == EXIFTests.tower)
  }

  // MARK: Dates

  /// The tags of dates in EXIF and their names in XMP, the first one first.
  private static let dates = [
    "9003", "exif:DateTimeOriginal", "photoshop:DateCreated", "9004", "exif:DateTimeDigitized",
    "xmp:CreateDate",
  ]

  /// What is read of the dates from one of the names on, each in another year: that of the first name is 2000.
  private func taken(from first: Int) -> DateTaken? {
    var (sample, packet) = (EXIFSample(), " ")
    for (index, name) in Self.dates.enumerated().dropFirst(first) {
      let year = 2_000 + index
      if let tag = Int(name, radix: 16) {
        sample.photograph.append(sample.text(tag, "\(year):06:01 12:00:00"))
      } else {
        // The place in the packet does not count.
        packet = #" \#(name)="\#(year)-06-01T12:00:00"\#(packet)"#
      }
    }
    return PictureDetails(exif: sample.bytes, xmp: [Array(packet.utf8)]).taken
  }

  @Test(arguments: dates.indices)
  func `the first date that there is counts`(first: Int) {
    let expected = DateTaken(day: "\(2_000 + first)-06-01T12:00:00")

    #expect(expected != nil)
    #expect(taken(from: first) == expected)
  }

  @Test(arguments: ["1935", "1935-06", "1935-06-01", "1935:00:00 00:00:00", "about 1935"])
  func `a date of a scan does not stand for an original date in part`(text: String) {
    let scan = #" xmp:CreateDate="2019-07-14T18:02:33" "#
    var sample = EXIFSample()
    sample.photograph = [sample.text(0x9003, text), sample.text(0x9004, "2019:07:14 18:02:33")]
    let created = #" photoshop:DateCreated="1935-06-01T12:00:00" "#

    #expect(details(#" photoshop:DateCreated="\#(text)" "# + scan).isEmpty)
    #expect(PictureDetails(exif: sample.bytes).isEmpty)
    // A whole one is elsewhere.
    let found = PictureDetails(exif: sample.bytes, xmp: [Array(created.utf8)])
    #expect(found.taken == DateTaken(day: "1935-06-01T12:00:00"))
  }

  @Test(arguments: ["", "0000:00:00 00:00:00", "    :  :     :  :  "])
  func `an original date without digits other than 0 says nothing`(text: String) {
    var sample = EXIFSample()
    sample.photograph = [
      sample.text(0x9003, text), sample.text(0x9004, "2019:07:14 18:02:33"),
      sample.text(0x9292, "45"), sample.text(0x9012, "+02:00"),
      // Those of another date.
      sample.text(0x9291, "99"), sample.text(0x9011, "-05:00"),
    ]

    #expect(PictureDetails(exif: sample.bytes).taken == EXIFTests.tower.taken)
  }

  @Test(arguments: [
    #" xmp:ModifyDate="2019-07-14T18:02:33" "#, #" xmp:MetadataDate="2019-07-14T18:02:33" "#,
    #" xmp:CreateDate="2019-07-14" "#, #" xmp:CreateDate="2019-02-29T18:02:33" "#,
    #" xmp:CreateDateX="2019-07-14T18:02:33" "#,
  ])
  func `other dates, and incomplete ones, do not count`(packet: String) {
    #expect(details(packet).isEmpty)
  }

  // MARK: Bounds

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
