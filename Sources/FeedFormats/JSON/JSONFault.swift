/// A place where a text is not JSON.
struct JSONFault: Error, Equatable {}
