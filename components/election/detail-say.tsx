import type { Say } from './detail-sentence.ts'
import type { LaneSlot } from './lane-colours.ts'
import { LaneSquare } from './leader-tag.tsx'

const TONE = { crit: 'text-crit', warn: 'text-warn' }

/** Runs up to this length never break at the end of a line. */
const WHOLE = 24

interface SayWordsProps {
  words: readonly Say[]
  colourOf: (who: { identity: string; keyBase64: string }) => LaneSlot | undefined
}

/** Runs of words: bold marks what changes, a square marks who. */
export function SayWords({ words, colourOf }: SayWordsProps) {
  return words.map((word, at) => {
    const look = `${word.mono ? 'bytes break-all ' : ''}${word.bold ? 'font-semibold' : ''} ${word.tone === undefined ? (word.bold ? 'text-t1' : '') : TONE[word.tone]}`
    const key = `${at} ${word.text}`
    const whole = word.text.length <= WHOLE ? 'whitespace-nowrap' : 'break-words'
    if (word.who === undefined) {
      return word.bold || word.mono ? (
        <b className={`${look} ${whole}`} key={key}>
          {word.text}
        </b>
      ) : (
        <span key={key}>{word.text}</span>
      )
    }
    return (
      <b className={`words ${look} ${whole}`} key={key}>
        <span className="mr-1.5 inline-block align-[-1px]">
          <LaneSquare size={11} slot={colourOf(word.who)} />
        </span>
        {word.text}
      </b>
    )
  })
}
