/** Markdown. Text of strangers inside it is read as it stands, and never as markup. */

/** Whatever begins emphasis, code, links, images, tags, entities, tables, math or strike-through, wherever it stands. */
const MARKS = /[\\`*_[\]<>|~&$!#]/g
/** A bare address becomes a link by itself. */
const ADDRESSES = /(:)(?=\/\/)|(\.)(?<=www\.)/gi
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/** On one line, with what cannot be seen named by its code point. */
export function oneLine(text: string): string {
  return text
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim()
    .replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/**
 * For the middle of a line or a cell: CommonMark takes a backslash before any punctuation for the character itself.
 * Marks that only count at the beginning of a line (`-`, `1.`) stay readable: nothing of it begins one.
 */
export function markdownText(text: string): string {
  return oneLine(text).replace(MARKS, '\\$&').replace(ADDRESSES, '\\$&')
}

/** The id of a heading, as forges make it: links to it that work there work here. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
