/** Path parameters come percent-encoded; an address typed by hand may be malformed. */
export function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
