import Models
import Workers

/// The request fields that libcurl does not write of its own accord.
struct RequestFields: Equatable {
  let accept: String
  let validators: Validators
  /// Whether no coding is wanted.
  ///
  /// libcurl could say so itself, and would put the field together twice for each request.
  let refusesCodings: Bool
  let range: NetworkRange?

  init(_ request: NetworkRequest, unpacks: Bool) {
    accept = request.accept
    validators = request.validators
    refusesCodings = !unpacks || !request.acceptsCompression
    range = request.range
  }
}
