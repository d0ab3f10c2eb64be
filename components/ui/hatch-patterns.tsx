/** The hatches of all SVGs on a page, by name: `url(#p-vacancy)` and so on. */
export function HatchPatterns() {
  return (
    <svg aria-hidden="true" className="absolute" height="0" width="0">
      <defs>
        <pattern height="5" id="p-vacancy" patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width="5">
          <rect fill="var(--tint-crit2)" height="5" width="5" />
          <rect fill="var(--hatch-crit)" height="5" width="1.8" />
        </pattern>
        <pattern height="7" id="p-gap" patternTransform="rotate(-45)" patternUnits="userSpaceOnUse" width="7">
          <rect fill="var(--hatch-gap)" height="7" width="1.2" />
        </pattern>
        <pattern height="9" id="p-notch" patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width="9">
          <rect fill="var(--bg)" height="9" width="2" />
        </pattern>
        <pattern height="9" id="p-stop" patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width="9">
          <rect fill="var(--critfill2)" height="9" opacity=".32" width="4" />
        </pattern>
        <pattern height="4" id="p-refill" patternTransform="rotate(-45)" patternUnits="userSpaceOnUse" width="4">
          <rect fill="var(--tint-info)" height="4" width="4" />
          <rect fill="var(--info)" height="4" width="1.7" />
        </pattern>
        <pattern height="5" id="p-mass" patternUnits="userSpaceOnUse" width="5">
          <rect fill="var(--tint-info)" height="5" width="5" />
          <rect fill="var(--info)" height="1.8" width="5" />
        </pattern>
        <pattern height="6" id="p-after" patternUnits="userSpaceOnUse" width="6">
          <circle cx="1.6" cy="1.6" fill="var(--warn)" r="1.25" />
          <circle cx="4.6" cy="4.6" fill="var(--warn)" r="1.25" />
        </pattern>
        <pattern height="4" id="p-untold" patternUnits="userSpaceOnUse" width="4">
          <circle cx="1" cy="1" fill="var(--t3)" r="0.7" />
        </pattern>
      </defs>
    </svg>
  )
}
