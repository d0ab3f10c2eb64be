import { expect, test } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@A', "'@A"],
  ['＝1+1', "'＝1+1"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['=a,"b"', `"'=a,""b"""`],
  ['a=1', 'a=1'],
  ['', ''],
])('writes %j as %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test('a line ends as RFC 4180 wants it, and what is missing is empty, not zero', () => {
  expect(csvLine(['a', 0, null, undefined, 'x,y'])).toBe('a,0,,,"x,y"\r\n')
})
