internal import CCurl

/// The library as a whole.
enum CurlLibrary {
  private static let initialisation = curl_global_init(Int(CURL_GLOBAL_ALL))

  /// Initialises the library, once in the life of the program.
  static func start() {
    guard initialisation == CURLE_OK else {
      fatalError(
        "libcurl cannot be initialised: \(String(cString: curl_easy_strerror(initialisation)))"
      )
    }
  }
}
