import Models
import Testing

struct ImageQueryTests {
  @Test(arguments: [
    ("camera:PENTAX K-7", #"camera:"PENTAX K-7""#),
    ("sea camera:canon eos 5d evening", #"sea camera:"canon eos 5d" evening"#),
    ("CAMERA:eos 5d", #"camera:"eos 5d""#), ("camera: PENTAX K-7", #"camera:"PENTAX K-7""#),
    ("camera: pentax sea", #"camera:"pentax" sea"#),
    ("camera:nikon coolpix 5700", #"camera:"nikon coolpix 5700""#),
    ("camera:x100", nil), ("camera:pentax butterfly", nil), ("camera:pentax sea 2019", nil),
    (#"camera:"eos 5d""#, nil), ("camera:\u{201E}eos 5d\u{201C}", nil), ("camera:", nil),
    ("sea camera:", nil), ("moon 7", nil), ("my-camera:x 7", nil), ("", nil),
  ])
  func `puts a camera's name of several words into quotation marks`(
    search: String,
    quoted: String?
  ) {
    #expect(ImageQuery.quotingCamera(search) == quoted ?? search)
    #expect(ImageQuery(search: search).searchForCamera == quoted)
  }
}
