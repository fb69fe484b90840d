const STORED_AS = 'fanfare-theme'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** A browser may refuse to keep anything; then each visit begins as the system has it. */
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
    // It holds for this visit.
  }
}
