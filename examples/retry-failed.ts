import { fanfare } from 'fanfare-client'

/*
 * Shows every account on which a post of the last week failed, and with --retry tries those again:
 * FANFARE_KEY=fnf_… npx tsx examples/retry-failed.ts --retry
 */

const { FANFARE_KEY = '', FANFARE_URL = 'http://127.0.0.1:3000' } = process.env
const api = fanfare({ key: FANFARE_KEY, url: FANFARE_URL })
const from = new Date(Date.now() - 7 * 86_400_000).toISOString()

for (const status of ['publish_failed', 'partially_failed'] as const) {
  for await (const { id, publishResults } of api.all('/posts', { params: { query: { status, from } } })) {
    for (const [platform, results] of Object.entries(publishResults)) {
      const failed = results.filter((result) => !result.ok)
      for (const { error } of failed) console.log(`${id} ${platform}: ${error}`)
      if (failed.length > 0 && process.argv.includes('--retry')) {
        await api.post('/posts/{id}/retry', { params: { path: { id } }, body: { platform } })
      }
    }
  }
}
