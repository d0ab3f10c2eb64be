import { svgUri, untoldWords } from '../../lib/election/incident-markdown.ts'
import type { IncidentReport } from '../../lib/election/incident-report.ts'
import type { AskedReport } from '../live/incidents.ts'
import { IncidentElectionSection } from './incident-election.tsx'
import { incidentHref } from './incident-params.ts'
import { IncidentTimeline } from './incident-timeline.tsx'

/** The document as paper shows it: light in either theme, so that what is printed is what was read. */
export function IncidentSheet({ asked, report }: { asked: AskedReport; report: IncidentReport }) {
  const { cluster, from, to, madeAt, summary, elections, entries, chart, untold } = report
  const names = new Map(elections.map(({ ref, name }) => [ref as string, name]))
  const refs = elections.map(({ ref }) => ref as string)
  const missing = untoldWords(untold)
  return (
    <article
      className="border border-line2 bg-s2 px-7 py-6 text-t1 max-sm:px-4 print:border-0 print:p-0"
      data-theme="light"
    >
      <p className="text-t2">
        Incident in cluster <b className="wrap-anywhere text-t1">{cluster}</b>
      </p>
      <h1 className="words mt-1 font-display font-semibold text-2xl">{summary}</h1>
      <p className="words mt-2 text-t2">
        From <b className="text-t1">{from}</b> to <b className="text-t1">{to}</b>. All times are UTC. Made at {madeAt}.
      </p>
      {missing.map((words) => (
        <p className="mt-1 text-warn" key={words}>
          {words}
        </p>
      ))}
      {elections.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, and keys must reach it
        <section aria-label="Chart" className="mt-4 overflow-x-auto" tabIndex={0}>
          {/* biome-ignore lint/performance/noImgElement: text of this page, nothing is fetched */}
          <img alt={chart.alt} className="w-full max-sm:w-[1040px] max-sm:max-w-none" src={svgUri(chart.svg)} />
        </section>
      )}
      <h2 className="mt-6 mb-2 font-semibold text-xl">Timeline</h2>
      <IncidentTimeline entries={entries} names={names} />
      {elections.length > 0 && <h2 className="mt-8 font-semibold text-xl">Elections</h2>}
      {elections.map((election) => (
        <IncidentElectionSection
          election={election}
          key={election.ref}
          onlyHref={refs.length > 1 ? incidentHref({ ...asked, refs: [election.ref] }) : null}
          withoutHref={
            refs.length > 1 ? incidentHref({ ...asked, refs: refs.filter((ref) => ref !== election.ref) }) : null
          }
        />
      ))}
      {asked.refs.length > 0 && (
        <p className="mt-6 print:hidden">
          <a className="link" href={incidentHref({ ...asked, refs: [] })}>
            All elections that changed in this time
          </a>
        </p>
      )}
    </article>
  )
}
