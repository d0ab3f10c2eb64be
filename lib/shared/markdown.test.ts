import { expect, test } from 'vitest'
import { markdownText, oneLine } from './markdown.ts'

test.each([
  ['worker-a.eu', 'worker-a.eu'],
  ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
  ['![x](javascript:alert(1))', '\\!\\[x\\](javascript:alert(1))'],
  ['a | b', 'a \\| b'],
  ['`code` *b* _i_ ~~s~~', '\\`code\\` \\*b\\* \\_i\\_ \\~\\~s\\~\\~'],
  ['&lt;b&gt;', '\\&lt;b\\&gt;'],
  ['a\\xff', 'a\\\\xff'],
  ['$x$ #12', '\\$x\\$ \\#12'],
  ['see http://evil.example or www.evil.example', 'see http\\://evil.example or www\\.evil.example'],
])('%j is written as %j', (text, written) => {
  expect(markdownText(text)).toBe(written)
})

test('a note of several lines cannot begin a line of the document, and what cannot be seen is named', () => {
  expect(oneLine('first\r\n\n# second\u2028- third')).toBe('first # second - third')
  expect(oneLine('abc\u202edcba\u0000')).toBe('abc\\u{202e}dcba\\u{0}')
  expect(markdownText('x\n| a |\n|---|')).toBe('x \\| a \\| \\|---\\|')
})
