/** Dark, light or as the system has it; kept in this browser. */
export const THEMES = ['dark', 'light', 'system'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'tenure-theme'

/** Runs before the first paint. Storage may be forbidden: then the system decides. */
export const THEME_SCRIPT = `(()=>{let t;try{t=localStorage.getItem('${KEY}')}catch{}
if(t!=='dark'&&t!=='light')t=matchMedia('(prefers-color-scheme: light)').matches?'light':'dark';
document.documentElement.dataset.theme=t})()`

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'dark' || stored === 'light' ? stored : 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  const light = matchMedia('(prefers-color-scheme: light)').matches
  document.documentElement.dataset.theme = theme === 'system' ? (light ? 'light' : 'dark') : theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is forbidden: the theme lasts as long as the page.
  }
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
}
