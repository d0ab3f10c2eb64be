import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { type LinkTarget, MarkdownText } from './markdown.tsx'

const target = (href: string): LinkTarget =>
  href.endsWith('.md') ? { page: `/runbooks/${href.slice(0, -3)}` } : { file: href }
const html = (text: string, of = target) => renderToStaticMarkup(<MarkdownText target={of} text={text} />)

describe('a document', () => {
  test('opens with its sentence, and has ids by which its headings are linked to', () => {
    expect(html('# **Nobody leads**: wait')).toMatch(/<h1 [^>]*><strong>Nobody leads<\/strong>: wait<\/h1>/)
    expect(html('## With etcd *out of* space')).toContain('id="with-etcd-out-of-space"')
  })

  test('has tables that can be scrolled by keys', () => {
    const table = html('| a | b |\n|---|---|\n| 1 | `2` |')
    expect(table).toMatch(/<section [^>]*tabindex="0"[^>]*><table/)
    expect(table).toMatch(/<th [^>]*scope="col"[^>]*>a<\/th>/)
    expect(table).toMatch(/<code [^>]*>2<\/code>/)
  })

  test('shows commands byte for byte, with a button that copies them', () => {
    const block = html('```sh queue\netcdctl get "$PREFIX" <<EOF\n  & more\nEOF\n```')
    expect(block).toMatch(/<pre [^>]*>etcdctl get &quot;\$PREFIX&quot; &lt;&lt;EOF\n {2}&amp; more\nEOF<\/pre>/)
    expect(block).toMatch(/<button [^>]*type="button"[^>]*><span aria-live="polite">Copy<\/span>/)
  })

  test('links to pages that are here, and says the path of files that have none', () => {
    expect(html('[alarm](etcd-alarm.md)')).toMatch(/<a [^>]*href="\/runbooks\/etcd-alarm"[^>]*>alarm<\/a>/)
    expect(html('[a test](../lib/x.test.ts)')).toMatch(/a test \(<code [^>]*>\.\.\/lib\/x\.test\.ts<\/code>\)/)
    const away = html('[etcd](https://etcd.io)', (href) => ({ elsewhere: href }))
    expect(away).toMatch(/<a [^>]*href="https:\/\/etcd\.io"[^>]*rel="noreferrer"[^>]*target="_blank"/)
  })

  test('brings no markup, script or address of its own', () => {
    const hostile =
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) ![p](https://example.org/p.png)'
    const shown = html(hostile)
    expect(shown).not.toMatch(/<script|<img|href=/)
  })
})
