/* What a browser keeps. One may refuse storage; then it is kept for no longer than the page. */

export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // It still applies to this visit.
  }
}
