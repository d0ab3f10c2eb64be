/** A name as people read it: the last part carries the weight. */
export function ElectionName({ name }: { name: string }) {
  const cut = name.replace(/\/+$/, '').lastIndexOf('/') + 1
  return (
    <span className="words">
      {cut > 0 && <span className="font-normal text-t2">{name.slice(0, cut)}</span>}
      <span className="font-semibold">{name.slice(cut)}</span>
    </span>
  )
}
