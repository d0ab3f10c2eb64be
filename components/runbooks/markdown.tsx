/** A document of ours as elements of the page. Rendered on the server: no library of it reaches the browser. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { anchorOf } from '../../lib/shared/markdown.ts'
import { CodeBlock } from './code-block.tsx'
import { type TreeNode, textIn } from './tree-node.ts'

/** Where a link leads: a page here, another site, or a file of the repository that has no page. */
export type LinkTarget = { page: string } | { elsewhere: string } | { file: string }

interface MarkdownTextProps {
  text: string
  target: (href: string) => LinkTarget
}

/** Text and what Markdown makes of it; HTML in it stays text. */
export function MarkdownText({ text, target }: MarkdownTextProps) {
  return (
    <Markdown
      components={{ ...PARTS, a: ({ href, children }) => <A target={target(href ?? '')}>{children}</A> }}
      remarkPlugins={[remarkGfm]}
    >
      {text}
    </Markdown>
  )
}

function A({ target, children }: { target: LinkTarget; children: ReactNode }) {
  if ('page' in target) {
    return (
      <Link className="link" href={target.page}>
        {children}
      </Link>
    )
  }
  if ('elsewhere' in target) {
    return (
      <a className="link" href={target.elsewhere} rel="noreferrer" target="_blank">
        {children}
      </a>
    )
  }
  return (
    <>
      {children} (<code className="bytes break-all">{target.file}</code>)
    </>
  )
}

const idOf = (node: TreeNode | undefined) => (node === undefined ? undefined : anchorOf(textIn(node)))
const HEAD = 'border-line2 border-b py-1.5 pr-4 font-medium text-sm text-t2'
const SPACED = 'mt-2 max-w-[76ch] leading-[20px]'

const PARTS: Components = {
  h1: ({ children }) => (
    <h1 className="words max-w-[60ch] font-display text-2xl text-t2 [&_strong]:text-t1 max-sm:text-xl">{children}</h1>
  ),
  h2: ({ children, node }) => (
    <h2 className="mt-6 border-line border-t pt-3 font-semibold text-lg" id={idOf(node)}>
      {children}
    </h2>
  ),
  h3: ({ children, node }) => (
    <h3 className="mt-4 font-semibold text-base" id={idOf(node)}>
      {children}
    </h3>
  ),
  p: ({ children }) => <p className={`words ${SPACED}`}>{children}</p>,
  ul: ({ children }) => <ul className={`words list-disc pl-5 ${SPACED}`}>{children}</ul>,
  ol: ({ children, start }) => (
    <ol className={`words list-decimal pl-6 ${SPACED}`} start={start}>
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="mt-1 marker:text-t3">{children}</li>,
  code: ({ children }) => <code className="bytes wrap-anywhere">{children}</code>,
  pre: ({ node }) => <CodeBlock text={node === undefined ? '' : textIn(node).replace(/\n$/, '')} />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
    <section aria-label="Table" className="mt-3 overflow-x-auto" tabIndex={0}>
      <table className="words w-full max-w-[1000px] border-collapse text-left leading-[20px]">{children}</table>
    </section>
  ),
  // Above the names of rows there is nothing to read.
  th: ({ children }) =>
    children === undefined ? (
      <td className={HEAD} />
    ) : (
      <th className={HEAD} scope="col">
        {children}
      </th>
    ),
  td: ({ children }) => <td className="min-w-24 border-line border-b py-1.5 pr-4 align-top">{children}</td>,
  img: ({ alt }) => <>{alt}</>,
}
