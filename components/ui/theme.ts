/** Dark, light or as the system has it; kept in this browser. */
export type Theme = 'dark' | 'light' | 'system'

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

export function systemTheme(): 'dark' | 'light' {
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme === 'system' ? systemTheme() : theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is forbidden: the theme lasts as long as the page.
  }
}

/** Each step shows: from the system's theme to the other one, then to the same by choice, then back to the system's. */
export function nextTheme(theme: Theme, system: 'dark' | 'light'): Theme {
  if (theme === 'system') return system === 'dark' ? 'light' : 'dark'
  return theme === system ? 'system' : system
}
