import type { Say } from './detail-sentence.ts'
import type { LaneSlot } from './lane-colours.ts'
import { LaneSquare } from './leader-tag.tsx'

const TONE = { crit: 'text-crit', warn: 'text-warn' }

interface SayWordsProps {
  words: readonly Say[]
  colourOf: (who: { identity: string; keyBase64: string }) => LaneSlot | undefined
}

/** Runs of words: bold marks what changes, a square marks who. */
export function SayWords({ words, colourOf }: SayWordsProps) {
  return words.map((word, at) => {
    const look = `${word.mono ? 'bytes break-all ' : ''}${word.bold ? 'font-semibold text-t1 ' : ''}${word.tone === undefined ? '' : TONE[word.tone]}`
    const key = `${at} ${word.text}`
    if (word.who === undefined) {
      return word.bold || word.mono ? (
        <b className={look} key={key}>
          {word.text}
        </b>
      ) : (
        <span key={key}>{word.text}</span>
      )
    }
    return (
      <b className={`${look} break-words`} key={key}>
        <span className="mr-1.5 inline-block align-[-1px]">
          <LaneSquare size={11} slot={colourOf(word.who)} />
        </span>
        {word.text}
      </b>
    )
  })
}
