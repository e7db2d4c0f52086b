/// The pack that is appended to, and where the last picture in it that a row names ends.
struct OpenPack {
  let file: PackFile
  var end: Int
}
