/** Who measured it: the candidate itself, or Tenure's own lease. The border repeats the line style of charts. */
export function SourceTag({ source }: { source: 'holder' | 'probe' }) {
  const look = source === 'probe' ? 'border-dashed border-ctl' : 'border-s3 bg-s3'
  const title =
    source === 'probe' ? "Measured by Tenure's own lease on this cluster" : 'Measured and reported by the candidate'
  return (
    <span className={`inline-block rounded-[3px] border px-1 font-medium text-t2 text-xs ${look}`} title={title}>
      {source}
    </span>
  )
}
