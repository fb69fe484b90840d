import { openAsBlob } from 'node:fs'
import { basename, extname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fanfare } from 'fanfare-client'

/*
 * Uploads a file, publishes it on one account of each network that takes it, and says what became of it:
 * FANFARE_KEY=fnf_… npx tsx examples/publish.ts bread.jpg 'Fresh from the oven'
 */

const TYPES: Record<string, string> = { '.jpg': 'image/jpeg', '.png': 'image/png', '.mp4': 'video/mp4' }
const [path = '', caption = ''] = process.argv.slice(2)
const { FANFARE_KEY = '', FANFARE_URL = 'http://127.0.0.1:3000' } = process.env
const api = fanfare({ key: FANFARE_KEY, url: FANFARE_URL })

const type = TYPES[extname(path).toLowerCase()]
if (type === undefined) throw new Error(`usage: publish.ts <a file: ${Object.keys(TYPES).join(', ')}> <caption>`)
const mediaType = type.startsWith('video/') ? 'video' : 'image'
const mediaUrl = await api.upload(await openAsBlob(path, { type }), { fileName: basename(path) })

const { accounts } = await api.get('/accounts')
const selections: Record<string, string[]> = {}
for (const [platform, [account]] of Object.entries(accounts)) if (account) selections[platform] = [account.id]

// What a network would refuse is left out.
const { previews } = await api.post('/posts/preview', { body: { mediaUrl, mediaType, caption, selections } })
for (const { platform, problems } of previews.filter((preview) => preview.problems.length > 0)) {
  delete selections[platform]
  console.log(`${platform}: left out. ${problems.join(' ')}`)
}

const { id } = await api.post('/posts', { body: { mediaUrl, mediaType, caption, selections } })
for (;;) {
  const { status, publishResults } = await api.get('/posts/{id}', { params: { path: { id } } })
  if (status !== 'processing') {
    for (const [platform, results] of Object.entries(publishResults)) {
      for (const result of results) console.log(`${platform}: ${result.ok ? result.url : result.error}`)
    }
    break
  }
  await wait(1_000)
}
