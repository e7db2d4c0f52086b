/// Names of characters that HTML 5 added to those of HTML 4, as far as people write them.
///
/// Letters of Central Europe, and ASCII's own signs; the others are signs of mathematics.
enum LaterNames {
  /// The character of that name; nil when it is not among them.
  static func scalar(named name: Span<UInt8>) -> Unicode.Scalar? { scalars[name.text] }

  private static let scalars: [String: Unicode.Scalar] = {
    var scalars: [String: Unicode.Scalar] = [:]
    for pair in table.split(separator: " ") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let scalar = parts[1].unicodeScalars.first else { continue }
      scalars[String(parts[0])] = scalar
    }
    for (name, scalar) in invisible { scalars[name] = scalar }
    return scalars
  }()

  private static let table = """
    AMP=& LT=< GT=> QUOT=" COPY=© REG=® excl=! num=# dollar=$ percnt=% lpar=( rpar=) ast=* \
    plus=+ comma=, period=. sol=/ colon=: semi=; equals== quest=? commat=@ lsqb=[ lbrack=[ bsol=\\ \
    rsqb=] rbrack=] Hat=^ lowbar=_ grave=` lcub={ lbrace={ verbar=| vert=| rcub=} rbrace=} dash=‐ \
    hyphen=‐ horbar=― check=✓ cross=✗ star=☆ starf=★ phone=☎ female=♀ male=♂ numero=№ copysr=℗ \
    half=½ frac13=⅓ frac23=⅔ caron=ˇ breve=˘ dot=˙ ring=˚ ogon=˛ \
    Abreve=Ă abreve=ă Amacr=Ā amacr=ā Aogon=Ą aogon=ą Cacute=Ć cacute=ć Ccaron=Č ccaron=č \
    Dcaron=Ď dcaron=ď Dstrok=Đ dstrok=đ Ecaron=Ě ecaron=ě Edot=Ė edot=ė Emacr=Ē emacr=ē Eogon=Ę \
    eogon=ę Gbreve=Ğ gbreve=ğ Gcedil=Ģ gcedil=ģ Idot=İ imath=ı inodot=ı Imacr=Ī imacr=ī Iogon=Į \
    iogon=į Kcedil=Ķ kcedil=ķ Lacute=Ĺ lacute=ĺ Lcaron=Ľ lcaron=ľ Lcedil=Ļ lcedil=ļ Lstrok=Ł \
    lstrok=ł Nacute=Ń nacute=ń Ncaron=Ň ncaron=ň Ncedil=Ņ ncedil=ņ Odblac=Ő odblac=ő Racute=Ŕ \
    racute=ŕ Rcaron=Ř rcaron=ř Sacute=Ś sacute=ś Scedil=Ş scedil=ş Tcaron=Ť tcaron=ť Tcedil=Ţ \
    tcedil=ţ Udblac=Ű udblac=ű Umacr=Ū umacr=ū Uogon=Ų uogon=ų Uring=Ů uring=ů Zacute=Ź zacute=ź \
    Zcaron=Ž zcaron=ž Zdot=Ż zdot=ż
    """

  private static let invisible: [(String, Unicode.Scalar)] = [
    ("NewLine", "\n"), ("Tab", "\t"), ("NonBreakingSpace", "\u{A0}"), ("hairsp", "\u{200A}"),
    ("numsp", "\u{2007}"), ("puncsp", "\u{2008}"), ("ZeroWidthSpace", "\u{200B}"),
  ]
}
