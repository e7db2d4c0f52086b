extension WebAddress {
  /// Names of parameters that ask for a part of a list, without what is no letter, in lower case.
  private static let partNames: Set<String> = [
    "after", "before", "count", "cursor", "end", "first", "from", "index", "last", "limit", "max",
    "maxid", "maxresults", "minid", "n", "num", "offset", "p", "page", "pagecursor",
    "paged", "pageindex", "pageno", "pagenum", "pagenumber", "pageoffset", "pagelimit", "pagesize",
    "pagetoken", "per", "perpage", "pg", "pp", "results", "rows", "rpp", "since", "sinceid", "size",
    "skip", "start", "startindex", "take", "top", "until",
  ]

  /// Whether it asks for a part of a list: by a parameter that numbers or bounds pages, such as
  /// `page=2`, `per_page=30`, `page[size]=30` or `$top=30`, or by a path such as `/page/2`.
  package var asksForPart: Bool {
    let names = (query ?? "").split { $0 == "&" || $0 == ";" }.map { Self.name(of: $0) }
    return names.contains(where: Self.partNames.contains) || hasPagePath
  }

  /// The letters of a parameter's name: an escaped bracket leaves none behind.
  private static func name(of parameter: Substring) -> String {
    let name = parameter.prefix { $0 != "=" }.lowercased().replacing("%5b", with: "")
      .replacing("%5d", with: "").replacing("%24", with: "")
    return String(decoding: name.utf8.filter { $0 >= 0x61 && $0 <= 0x7A }, as: UTF8.self)
  }

  private var hasPagePath: Bool {
    let segments = path.lowercased().split(separator: "/")
    return zip(segments, segments.dropFirst()).contains { name, number in
      name == "page" && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
  }
}
