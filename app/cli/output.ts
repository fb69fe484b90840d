/** The options of each command that prints a result. */
export interface Output {
  readonly json?: boolean
}

/** Prints a command's result: JSON, or lines of `name  value` with a blank line between the items of a list. */
export function print(result: unknown, asJson: boolean): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
    return
  }
  const items = Array.isArray(result) ? result : [result]
  process.stdout.write(items.length === 0 ? 'none\n' : `${items.map(lines).join('\n\n')}\n`)
}

/** Quotes any value as a single shell word, for commands that users may copy. */
export function forShell(value: string): string {
  return /^[\w:/.-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** Aligns cells in columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

function lines(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const entries = Object.entries(item)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${words(value)}`).join('\n')
}

/** On one line: `succeeded 4, failed 1`. */
function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, of]) => `${name} ${words(of)}`)
    .join(', ')
}
