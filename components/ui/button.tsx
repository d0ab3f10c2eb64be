import type { ComponentProps } from 'react'

type Variant = 'plain' | 'primary' | 'danger' | 'quiet'

const LOOKS: Record<Variant, string> = {
  plain: 'border-ctl text-t1 hover:bg-s3',
  primary: 'border-bone bg-bone text-onbone hover:opacity-90',
  danger: 'border-crit text-crit hover:bg-tint-crit',
  quiet: 'border-transparent text-t2 hover:bg-s3 hover:text-t1',
}
const SIZES = { sm: 'h-7 px-2.5 text-sm', md: 'h-9 px-3.5 text-base', icon: 'size-9' }

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
  size?: keyof typeof SIZES
}

/** A disabled button keeps its place, dashed; say the reason beside it or in `title`. */
export function Button({ variant = 'plain', size = 'md', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      className={`inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-md border font-semibold disabled:border-ctl disabled:border-dashed disabled:bg-transparent disabled:text-t3 ${LOOKS[variant]} ${SIZES[size]} ${className}`}
      type={type}
      {...rest}
    />
  )
}
