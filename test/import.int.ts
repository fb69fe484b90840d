import t, { type Test } from 'tap'
import { givenApi } from './support/api.ts'

const HEADER = 'scheduled_for,accounts,caption,media_urls,alt_texts,hashtags'

async function givenImport(t: Test) {
  const api = await givenApi(t)
  const key = await api.key()
  const call = (method: string, path: string, body?: object, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  const account = await api.world.account('x')
  const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`
  const row = (when: string, caption: string, who = account) => `${when},${who},${caption},${mediaUrl},Bread,rye;oven`
  const send = (rows: readonly string[], more = {}, headers = {}) =>
    call('POST', '/scheduled-posts/import', { csv: [HEADER, ...rows].join('\n'), ...more }, headers)
  const listed = async () => (await call('GET', '/scheduled-posts')).body['scheduledPosts'] as { caption: string }[]
  return { call, account, row, send, listed }
}

t.test('given a CSV file', async (t) => {
  const { call, row, send, listed, account } = await givenImport(t)
  const good = [row('2031-07-15 09:00', '"Bread, ""fresh"""'), row('2031-07-16T07:00:00Z', 'Rolls')]
  const bad = row('2031-07-17 09:00', 'Buns', 'x:nobody')

  await t.test(
    'when it is only tried, then each row has its time and problems, and nothing is scheduled',
    async (t) => {
      t.match(await send([...good, bad], { dryRun: true, timezone: 'Europe/Berlin' }), {
        status: 200,
        body: {
          scheduled: 0,
          rows: [
            { row: 1, scheduledAtUtc: '2031-07-15T07:00:00.000Z', problems: [] },
            { row: 2, scheduledAtUtc: '2031-07-16T07:00:00.000Z', problems: [] },
            { row: 3, problems: [/x:nobody is not a connected account/] },
          ],
        },
      })
      t.same(await listed(), [])
    },
  )

  await t.test('when a row has a problem, then nothing is scheduled, unless it is to be skipped', async (t) => {
    t.match(await send([...good, bad]), { status: 400, message: /row 3: accounts: x:nobody .*onInvalid/ })
    t.same(await listed(), [])
    const answer = await send([...good, bad], { onInvalid: 'skip' }, { 'idempotency-key': 'one' })
    t.match(answer.body, { scheduled: 2, rows: [{ row: 1, id: /^post_/ }, { row: 2, id: /^post_/ }, { row: 3 }] })
    t.match(await listed(), [
      {
        caption: 'Bread, "fresh"',
        hashtags: ['rye', 'oven'],
        media: [{ altText: 'Bread' }],
        selections: { x: [account] },
      },
      { caption: 'Rolls' },
    ])
    await send([...good, bad], { onInvalid: 'skip' }, { 'idempotency-key': 'one' })
    t.equal((await listed()).length, 2)
  })

  await t.test('when the file is wrong, then the error says how', async (t) => {
    const wrong = async (csv: string, message: RegExp) =>
      t.match(await call('POST', '/scheduled-posts/import', { csv }), { status: 400, message })
    await wrong('schedule_for,accounts,media_urls\na,b,c', /"schedule_for".*Did you mean scheduled_for/)
    await wrong('scheduled_for,accounts\na,b', /column media_urls/)
    await wrong('scheduled_for,accounts,media_urls\na,b', /not valid/)
    await wrong('scheduled_for,accounts,media_urls\n', /no rows/)
    await wrong(`scheduled_for,accounts,media_urls\n${'a,b,c\n'.repeat(501)}`, /501 rows/)
  })
})
