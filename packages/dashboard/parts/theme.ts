import { keep, kept } from './kept.ts'

const STORED_AS = 'fanfare-theme'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function chosenTheme(): Theme {
  const chosen = kept(STORED_AS)
  return THEMES.find((theme) => theme === chosen) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function keepTheme(theme: Theme): void {
  applyTheme(theme)
  keep(STORED_AS, theme)
}
