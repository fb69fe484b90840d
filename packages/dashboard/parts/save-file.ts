import { csvOf, type Cell } from './csv.ts'

/** Has the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}

export function saveCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  saveFile(name, new Blob([csvOf(rows)], { type: 'text/csv' }))
}
