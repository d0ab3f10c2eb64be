import { CopyButton } from '../ui/copy-button.tsx'

/** Commands, as they are typed. */
export function CodeBlock({ text }: { text: string }) {
  return (
    <div className="mt-2 flex max-w-[1000px] items-start gap-2 rounded-md border border-line2 bg-s1 max-sm:flex-col-reverse max-sm:items-stretch max-sm:gap-0">
      <pre
        className="bytes min-w-0 flex-1 overflow-x-auto max-sm:flex-none px-3 py-2.5 text-t1 leading-[20px]"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
        tabIndex={0}
      >
        {text}
      </pre>
      <span className="shrink-0 p-1.5 max-sm:self-end max-sm:pb-0">
        <CopyButton text={text} />
      </span>
    </div>
  )
}
