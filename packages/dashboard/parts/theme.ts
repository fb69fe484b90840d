const STORED_AS = 'fanfare-theme'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** A browser may refuse storage; then each visit starts with the system's theme. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(STORED_AS)
    return THEMES.find((theme) => theme === kept) ?? 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function keepTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(STORED_AS, theme)
  } catch {
    // It still applies to this visit.
  }
}
