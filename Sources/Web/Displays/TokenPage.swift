/// The page for a browser that has no token: it asks for one, and says where to get it.
package enum TokenPage {
  /// - Parameters:
  ///   - path: The path that the browser has asked for.
  ///   - query: The parameters that it has asked with.
  ///   - site: The server's pages.
  /// - Returns: The page.
  package static func html(at path: String, _ query: [String: String], on site: Site) -> HTML {
    let kept = query.filter { $0.key != "token" }.sorted { $0.key < $1.key }
    let refusal: HTML =
      #"<p class="problem" role="alert">This token is not valid, or it has ended.</p>"#
    return """
      \(site.head(title: "Gallery"))
      </head>
      <body>
      <main id="main" class="welcome">
      <p class="brand">\(icon: Site.brand)</p>
      <h1>This gallery needs a token</h1>
      <p>If you are a guest, ask the owner of the gallery for a link, or paste the token that you have.</p>
      \(if: query["token"] != nil, refusal)
      <form action="\(path)">
      \(lines: kept.map { #"<input type="hidden" name="\#($0.key)" value="\#($0.value)">"# })\
      <label for="token">Token</label>
      <div class="row"><input id="token" type="password" name="token" required autocomplete="current-password" autocapitalize="off" spellcheck="false"> <button>Open</button></div>
      </form>
      <p class="note">If it is yours: <code>gallery serve</code> prints a link that opens it, and <code>gallery token add NAME</code> makes a token for a guest.</p>
      </main>
      </body>
      </html>

      """
  }
}
