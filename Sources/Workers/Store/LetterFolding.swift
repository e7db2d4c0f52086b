/// Folds case and accents, for comparisons and orders that do not depend on a language.
///
/// Foundation's `folding` does the same, but brings 34 MB of tables. The table below has its results (Unicode 15): a test
/// compares both.
package enum LetterFolding {
  /// - Returns: The text in lower case, without the accents of Latin, Greek and Cyrillic letters, and with ligatures
  ///   taken apart (`ß` becomes `ss`). Other marks stay, because they tell words apart in their scripts.
  package static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      for letter in scalar.properties.lowercaseMapping.unicodeScalars where !isAccent(letter) {
        if let base = bases[letter] {
          folded.append(contentsOf: base)
        } else {
          folded.append(letter)
        }
      }
    }
    return String(folded)
  }

  /// Whether a scalar is an accent of the letter before it: a nonspacing mark in the blocks of combining diacritical
  /// marks.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: false
    case 0x300...0x36F, 0x1AB0...0x1ACE, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0xFE20...0xFE2F:
      scalar.properties.generalCategory == .nonspacingMark
    default: false
    }
  }

  /// The letters without accents, by their forms with accents.
  private static let bases: [Unicode.Scalar: String.UnicodeScalarView] = {
    var bases: [Unicode.Scalar: String.UnicodeScalarView] = [:]
    for line in table.split(separator: "\n") {
      let parts = line.split(separator: " ")
      for letter in parts[1].unicodeScalars { bases[letter] = String(parts[0]).unicodeScalars }
    }
    return bases
  }()

  /// A line for each letter: itself, and its lower-case forms with accents.
  private static let table = """
    \u{3B} \u{37E}
    \u{3C} \u{226E}
    \u{3D} \u{2260}
    \u{3E} \u{226F}
    \u{60} \u{1FEF}
    a àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
    b ḃḅḇ
    c çćĉċčḉ
    d ďḋḍḏḑḓ
    e èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
    f ḟ
    g ĝğġģǧǵḡ
    h ĥȟḣḥḧḩḫẖ
    i ìíîïĩīĭįǐȉȋḭḯỉị
    j ĵǰ
    k ķǩḱḳḵ
    l ĺļľḷḹḻḽ
    m ḿṁṃ
    n ñńņňǹṅṇṉṋ
    o òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ
    p ṕṗ
    r ŕŗřȑȓṙṛṝṟ
    s śŝşšſșṡṣṥṧṩẛ
    t ţťțṫṭṯṱẗ
    u ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
    v ṽṿ
    w ŵẁẃẅẇẉẘ
    x ẋẍ
    y ýÿŷȳẏẙỳỵỷỹ
    z źżžẑẓẕ
    \u{A8} \u{385}\u{1FC1}\u{1FED}\u{1FEE}
    \u{B4} \u{1FFD}
    \u{B7} \u{387}
    æ ǣǽ
    ø ǿ
    ʒ ǯ
    ʹ \u{374}
    α άἀἁἂἃἄἅἆἇὰ\u{1F71}ᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
    β ϐ
    ε έϵἐἑἒἓἔἕὲ\u{1F73}
    η ήἠἡἢἣἤἥἦἧὴ\u{1F75}ᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
    θ ϑ
    ι ΐίϊἰἱἲἳἴἵἶἷὶ\u{1F77}\u{1FBE}ῐῑῒ\u{1FD3}ῖῗ
    κ ϰ
    μ µ
    ο όὀὁὂὃὄὅὸ\u{1F79}
    π ϖ
    ρ ϱῤῥ
    σ ς
    υ ΰϋύὐὑὒὓὔὕὖὗὺ\u{1F7B}ῠῡῢ\u{1FE3}ῦῧ
    φ ϕ
    ω ώὠὡὢὣὤὥὦὧὼ\u{1F7D}ᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ
    ϒ ϓϔ
    а ӑӓ
    г ѓ
    е ѐёӗ
    ж ӂӝ
    з ӟ
    и йѝӣӥ
    к ќ
    о ӧ
    у ўӯӱӳ
    ч ӵ
    ы ӹ
    э ӭ
    і ї
    ѵ ѷ
    ә ӛ
    ө ӫ
    aʾ ẚ
    ff ﬀ
    ffi ﬃ
    ffl ﬄ
    fi ﬁ
    fl ﬂ
    ss ß
    st ﬅﬆ
    ʼn ŉ
    եւ և
    մե ﬔ
    մի ﬕ
    մխ ﬗ
    մն ﬓ
    վն ﬖ
    """
}
