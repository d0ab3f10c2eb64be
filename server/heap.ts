/**
 * Import it before anything that fills the heap. While a first listing survives, V8 grows its new space
 * to 128 MB, copies what is in it again and again, and hardly ever gives it back: ten thousand elections,
 * 45 MB, cost 260 MB then, and their listing a quarter more time. docs/performance.md has the figures.
 */
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--semi-space-growth-factor=1')
