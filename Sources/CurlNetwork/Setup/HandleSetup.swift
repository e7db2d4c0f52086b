/// What a handle is set up for, with the list of fields that libcurl reads during transfers.
///
/// An object, so that it is compared where it is.
final class HandleSetup {
  let options: TransferOptions
  let fields: HeaderFields

  init(_ options: TransferOptions, _ fields: HeaderFields) {
    self.options = options
    self.fields = fields
  }
}
