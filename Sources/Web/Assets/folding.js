// Which texts count as equal in searches and in the order of titles.

// Scripts/letters writes the next two lines: what stands for letters that Unicode does not take apart, and these letters.
const lettersForOne = "aⱥ bƀƃɓ cƈȼ dðđƌȡɖɗ eɇ fƒ gǥɠ hħ iıɨ jȷɉ kƙ lłƚȴ nŋƞȵɲ oø pƥ qɋ rɍ sȿ tŧƫƭȶʈⱦ vʋ yƴɏ zƶȥɀ";
const lettersForTwo = "aeæ oeœ thþ";
const baseLetters = new Map([[lettersForOne, 1], [lettersForTwo, 2]].flatMap(([text, length]) =>
  text.split(" ").flatMap((group) => [...group.slice(length)].map((letter) => [letter, group.slice(0, length)]))));

const marks = /(?=\p{M})[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0898-\u089f\u08ca-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u2de0-\u2dff\ua66f-\ua67d\ua69e\ua69f\ufb1e\ufe20-\ufe2f]/gu;
const unseen = /[\u0640\u00ad\u200c\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]/gu;

/**
 * A text without case, and without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters, as the server folds
 * it (`LetterFolding`). The capitals are what small letters such as "ß" and "ς" have in common with others.
 */
export const fold = (text) => text.normalize("NFKD").replace(marks, "").replace(unseen, "")
  .toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ")
  .replace(/[^\0-\x7f]/gu, (letter) => baseLetters.get(letter) ?? letter).normalize("NFC");

/** What titles are sorted by, as the server does it (`TitleKey`): each number comes after the count of its digits. */
export function titleKey(title) {
  if (title === undefined || title === null) return "\uffff";
  const text = [...fold(title)].slice(0, 160).join("").replace(/\p{Nd}/gu, asciiDigit);
  return text.replace(/0*([0-9]+)/g, (_, number) => {
    const count = Math.min(number.length, 20);
    return (count < 9 ? String(count) : "9" + String.fromCharCode(0x30 + count - 9)) + number;
  });
}

/** The digits of every script follow each other from its zero on. */
function asciiDigit(digit) {
  let zero = digit.codePointAt();
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((digit.codePointAt() - zero) % 10);
}
