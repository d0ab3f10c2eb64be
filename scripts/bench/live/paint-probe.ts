/**
 * Runs in the page before its own scripts: notes when a text was painted. A change made inside a frame's
 * callbacks is painted by that frame, one made outside by the next; a message posted from the frame comes
 * after its rendering.
 */
export interface PaintProbe {
  seen: [text: string, atMs: number][]
  keys: { sentMs: number; paintedMs: number | null; expected: string }[]
}

declare global {
  interface Window {
    tenureBench: PaintProbe & { expect: (text: string) => void }
  }
}

function install(pattern: string): void {
  const wanted = new RegExp(pattern)
  const nextFrame = window.requestAnimationFrame.bind(window)
  const afterTask = (work: () => void) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = work
    port2.postMessage(null)
  }
  let inFrame = false
  const enterFrame = () => {
    if (inFrame) return
    inFrame = true
    afterTask(() => {
      inFrame = false
    })
  }
  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      enterFrame()
      callback(time)
    })
  const whenPainted = (work: (atMs: number) => void) => {
    const painted = () => work(performance.timeOrigin + performance.now())
    if (inFrame) afterTask(painted)
    else nextFrame(() => afterTask(painted))
  }

  const bench: Window['tenureBench'] = { seen: [], keys: [], expect: () => {} }
  window.tenureBench = bench
  let expected = ''
  bench.expect = (text) => {
    expected = text
  }
  document.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      bench.keys.push({ sentMs: performance.timeOrigin + timeStamp, paintedMs: null, expected })
    },
    true,
  )
  const look = (text: string, key: (typeof bench.keys)[number] | undefined) => {
    const found = wanted.exec(text)?.[0]
    if (found !== undefined) whenPainted((atMs) => bench.seen.push([found, atMs]))
    if (key !== undefined && key.paintedMs === null && text === key.expected) {
      whenPainted((atMs) => {
        key.paintedMs ??= atMs
      })
    }
  }
  new MutationObserver((records) => {
    const key = bench.keys.at(-1)
    for (const { target, addedNodes } of records) {
      if (target.nodeType === Node.TEXT_NODE) look(target.textContent ?? '', key)
      else for (const node of addedNodes) look(node.textContent ?? '', key)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** A script for the page; texts that match `pattern` are noted with the time of their painting. */
export function paintProbe(pattern: string): string {
  return `(${install.toString()})(${JSON.stringify(pattern)})`
}
