/** Prints a command's result: JSON, or lines of `name  value` with a blank line between the items of a list. */
export function print(result: unknown, asJson: boolean): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
    return
  }
  const items = Array.isArray(result) ? result : [result]
  process.stdout.write(items.length === 0 ? 'none\n' : `${items.map(lines).join('\n\n')}\n`)
}

function lines(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const entries = Object.entries(item)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries
    .map(([name, value]) => `${name.padEnd(width)}  ${Array.isArray(value) ? value.join(', ') : value}`)
    .join('\n')
}
