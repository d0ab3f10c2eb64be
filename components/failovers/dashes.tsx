/** Rows that are awaited, as tall as those that will come: nothing moves when they do. */
export function Dashes({ count, height }: { count: number; height: number }) {
  return (
    <div role="status">
      <span className="sr-only">Waiting for the history.</span>
      {Array.from({ length: count }, (_, at) => at).map((each) => (
        <p aria-hidden="true" className="border-line border-t text-t3" key={each} style={{ height, paddingTop: 6 }}>
          –
        </p>
      ))}
    </div>
  )
}
