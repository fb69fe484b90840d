const MORE = 'There is more: open the dashboard.'

/** A text with as many whole items as fit. @param longest in UTF-16 units, which are never fewer than characters */
export function fitted(title: string, items: readonly string[], footer: string, longest: number): string {
  const room = longest - title.length - MORE.length - 2
  const shown: string[] = []
  let length = 0
  for (const item of items) {
    length += item.length + 1
    if (length > room) break
    shown.push(item)
  }
  const last = shown.length < items.length ? MORE : footer
  return [title, ...shown, ...(last === '' ? [] : [last])].join('\n')
}
