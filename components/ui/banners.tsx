'use client'
import { useConnection, useLiveStore, useServerNow } from '../live/use-live.ts'
import { type BannerLine, bannerLines } from './banner-lines.ts'
import { useChosenCluster } from './use-chosen-cluster.ts'

/** Lines that concern the whole page. Nothing is here when all is well. */
export function Banners() {
  useServerNow(1)
  const store = useLiveStore()
  const connection = useConnection()
  const { chosen } = useChosenCluster()
  const views = [...store.views.values()].filter((view) => chosen === null || view.info.name === chosen)
  const lines = bannerLines(
    connection,
    views.map((view) => view.info),
    store.time.browserAheadMs(),
  )
  return lines.map((line) => <Line key={line.id} line={line} />)
}

function Line({ line: { tone, strong, text, action } }: { line: BannerLine }) {
  const look = tone === 'crit' ? 'bg-tint-crit2' : 'bg-s2'
  return (
    <div
      className={`relative flex min-h-[38px] items-center gap-2.5 border-line border-b py-2 pr-5 pl-[30px] ${look}`}
      role="status"
    >
      <span aria-hidden="true" className={`absolute inset-y-0 left-0 w-3.5 ${tone === 'crit' ? 'hazard' : 'bg-s3'}`} />
      <p className="words">
        <b className={tone === 'crit' ? 'text-crit' : undefined}>{strong}</b> {text}
      </p>
      {action === 'reload' && (
        <button className="link ml-auto font-semibold" onClick={() => window.location.reload()} type="button">
          Reload
        </button>
      )}
    </div>
  )
}
