import Link from 'next/link'
import { type LinkTarget, MarkdownText } from './markdown.tsx'

interface RunbookPageProps {
  text: string
  target: (href: string) => LinkTarget
  /** The list of all runbooks links to itself nowhere. */
  isList?: boolean
}

/** One document, opening with its sentence. */
export function RunbookPage({ text, target, isList = false }: RunbookPageProps) {
  return (
    <article className="px-5 pt-[15px] pb-10 max-sm:px-4">
      {!isList && (
        <p className="text-sm">
          <Link className="link inline-block py-1 max-sm:py-3" href="/runbooks">
            All runbooks
          </Link>
        </p>
      )}
      <MarkdownText target={target} text={text} />
    </article>
  )
}
