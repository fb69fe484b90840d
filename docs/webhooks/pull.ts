import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

interface Page {
  readonly events: readonly unknown[]
  readonly nextCursor: string
}

const { FANFARE_KEY = '', FANFARE_API = 'http://127.0.0.1:3000/v1', CURSOR_FILE = 'cursor' } = process.env
let after = await readFile(CURSOR_FILE, 'utf8').catch(() => '')

for (;;) {
  const query = new URLSearchParams({ limit: '100', ...(after !== '' && { after }) })
  const response = await fetch(`${FANFARE_API}/events?${query}`, {
    headers: { authorization: `Bearer ${FANFARE_KEY}` },
  })
  // Restart the program after an error; it continues at the stored cursor.
  if (!response.ok) throw new Error(await response.text())
  const { events, nextCursor }: Page = JSON.parse(await response.text())
  for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`)
  // Store the cursor last: events that were not processed are returned again.
  await writeFile(CURSOR_FILE, nextCursor)
  after = nextCursor
  await wait(events.length > 0 ? 1_000 : 10_000)
}
