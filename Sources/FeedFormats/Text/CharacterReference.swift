/// Reads the character references of HTML: `&eacute;`, `&#233;`, `&#xe9;`.
enum CharacterReference {
  /// The length of HTML's longest name for a character; numeric references fit as well.
  static let longestName = 32

  /// The length of the longest reference, with `&` and `;`.
  static let longest = longestName + 2

  /// Reads the reference that begins at an `&`: its scalar, and the offset after it; nil when there
  /// is no reference.
  static func read(in bytes: Span<UInt8>, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    let window = bytes.extracting(0..<min(bytes.count, start + longest))
    guard let end = window.first(UInt8(ascii: ";"), from: start + 1),
      let scalar = scalar(named: bytes.extracting((start + 1)..<end))
    else { return nil }
    return (scalar, end + 1)
  }

  /// The scalar for `name`, the part between `&` and `;`; nil for an unknown name.
  static func scalar(named name: Span<UInt8>) -> Unicode.Scalar? {
    guard name.count > 1, name.count <= longestName else { return nil }
    if name[0] == UInt8(ascii: "#") { return numbered(name) }
    return common(name) ?? CharacterNames.scalar(named: name)
  }

  private static func common(_ name: Span<UInt8>) -> Unicode.Scalar? {
    if name.holds("amp") { return "&" }
    if name.holds("lt") { return "<" }
    if name.holds("gt") { return ">" }
    if name.holds("quot") { return "\"" }
    if name.holds("apos") { return "'" }
    if name.holds("nbsp") { return "\u{A0}" }
    return nil
  }

  private static func numbered(_ name: Span<UInt8>) -> Unicode.Scalar? {
    let isHexadecimal = name[1] | 0x20 == UInt8(ascii: "x")
    let digits = name.extracting((isHexadecimal ? 2 : 1)...)
    var value: UInt32 = 0
    guard !digits.isEmpty else { return nil }
    for index in digits.indices {
      guard let digit = hexadecimalDigit(digits[index]), isHexadecimal || digit < 10,
        value < 0x11_0000
      else { return nil }
      value = value * (isHexadecimal ? 16 : 10) + digit
    }
    return windows1252[value] ?? Unicode.Scalar(value)
  }

  /// The value of a hexadecimal digit.
  static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Numbers that name control characters but mean characters of windows-1252; browsers read them
  /// in the same way (HTML, section 13.2.5.80).
  static let windows1252: [UInt32: Unicode.Scalar] = [
    0x80: "\u{20AC}", 0x82: "\u{201A}", 0x83: "\u{192}", 0x84: "\u{201E}", 0x85: "\u{2026}",
    0x86: "\u{2020}", 0x87: "\u{2021}", 0x88: "\u{2C6}", 0x89: "\u{2030}", 0x8A: "\u{160}",
    0x8B: "\u{2039}", 0x8C: "\u{152}", 0x8E: "\u{17D}", 0x91: "\u{2018}", 0x92: "\u{2019}",
    0x93: "\u{201C}", 0x94: "\u{201D}", 0x95: "\u{2022}", 0x96: "\u{2013}", 0x97: "\u{2014}",
    0x98: "\u{2DC}", 0x99: "\u{2122}", 0x9A: "\u{161}", 0x9B: "\u{203A}", 0x9C: "\u{153}",
    0x9E: "\u{17E}", 0x9F: "\u{178}",
  ]
}

/// Decodes the character references in a text that is not markup, such as an address.
enum References {
  /// The text with its references decoded once.
  static func decoded(_ bytes: Span<UInt8>) -> String {
    if bytes.first(UInt8(ascii: "&"), from: 0) == nil { return bytes.text }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"),
        let (scalar, end) = CharacterReference.read(in: bytes, at: index)
      {
        output += scalar.utf8
        index = end
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// The names of common characters: all of HTML 4, and those of HTML 5 for the letters of Central
/// Europe and for ASCII signs.
enum CharacterNames {
  /// The character with a name; nil when the table does not contain it.
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
    iexcl=¡ cent=¢ pound=£ curren=¤ yen=¥ brvbar=¦ sect=§ uml=¨ copy=© ordf=ª laquo=« not=¬ \
    reg=® macr=¯ deg=° plusmn=± sup2=² sup3=³ acute=´ micro=µ para=¶ middot=· cedil=¸ sup1=¹ \
    ordm=º raquo=» frac14=¼ frac12=½ frac34=¾ iquest=¿ Agrave=À Aacute=Á Acirc=Â Atilde=Ã Auml=Ä \
    Aring=Å AElig=Æ Ccedil=Ç Egrave=È Eacute=É Ecirc=Ê Euml=Ë Igrave=Ì Iacute=Í Icirc=Î Iuml=Ï \
    ETH=Ð Ntilde=Ñ Ograve=Ò Oacute=Ó Ocirc=Ô Otilde=Õ Ouml=Ö times=× Oslash=Ø Ugrave=Ù Uacute=Ú \
    Ucirc=Û Uuml=Ü Yacute=Ý THORN=Þ szlig=ß agrave=à aacute=á acirc=â atilde=ã auml=ä aring=å \
    aelig=æ ccedil=ç egrave=è eacute=é ecirc=ê euml=ë igrave=ì iacute=í icirc=î iuml=ï eth=ð \
    ntilde=ñ ograve=ò oacute=ó ocirc=ô otilde=õ ouml=ö divide=÷ oslash=ø ugrave=ù uacute=ú \
    ucirc=û uuml=ü yacute=ý thorn=þ yuml=ÿ OElig=Œ oelig=œ Scaron=Š scaron=š Yuml=Ÿ fnof=ƒ \
    circ=ˆ tilde=˜ Alpha=Α Beta=Β Gamma=Γ Delta=Δ Epsilon=Ε Zeta=Ζ Eta=Η Theta=Θ Iota=Ι Kappa=Κ \
    Lambda=Λ Mu=Μ Nu=Ν Xi=Ξ Omicron=Ο Pi=Π Rho=Ρ Sigma=Σ Tau=Τ Upsilon=Υ Phi=Φ Chi=Χ Psi=Ψ \
    Omega=Ω alpha=α beta=β gamma=γ delta=δ epsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ \
    lambda=λ mu=μ nu=ν xi=ξ omicron=ο pi=π rho=ρ sigmaf=ς sigma=σ tau=τ upsilon=υ phi=φ chi=χ \
    psi=ψ omega=ω thetasym=ϑ upsih=ϒ piv=ϖ ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ \
    rdquo=” bdquo=„ dagger=† Dagger=‡ bull=• hellip=… permil=‰ prime=′ Prime=″ lsaquo=‹ rsaquo=› \
    oline=‾ frasl=⁄ euro=€ image=ℑ weierp=℘ real=ℜ trade=™ alefsym=ℵ larr=← uarr=↑ rarr=→ darr=↓ \
    harr=↔ crarr=↵ lArr=⇐ uArr=⇑ rArr=⇒ dArr=⇓ hArr=⇔ forall=∀ part=∂ exist=∃ empty=∅ nabla=∇ \
    isin=∈ notin=∉ ni=∋ prod=∏ sum=∑ minus=− lowast=∗ radic=√ prop=∝ infin=∞ ang=∠ and=∧ or=∨ \
    cap=∩ cup=∪ int=∫ there4=∴ sim=∼ cong=≅ asymp=≈ ne=≠ equiv=≡ le=≤ ge=≥ sub=⊂ sup=⊃ nsub=⊄ \
    sube=⊆ supe=⊇ oplus=⊕ otimes=⊗ perp=⊥ sdot=⋅ lceil=⌈ rceil=⌉ lfloor=⌊ rfloor=⌋ lang=〈 rang=〉 \
    loz=◊ spades=♠ clubs=♣ hearts=♥ diams=♦ \
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
    ("shy", "\u{AD}"), ("ensp", "\u{2002}"), ("emsp", "\u{2003}"), ("thinsp", "\u{2009}"),
    ("zwnj", "\u{200C}"), ("zwj", "\u{200D}"), ("lrm", "\u{200E}"), ("rlm", "\u{200F}"),
  ]
}
