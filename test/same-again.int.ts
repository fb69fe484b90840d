import t, { type Test } from 'tap'
import { LogUnavailable } from '../event-log/event-log.ts'
import { givenApi } from './support/api.ts'
import { mcpClient } from './support/mcp.ts'
import { givenProcess } from './support/world.ts'

const HOUR = 3_600_000
const AGAIN = { status: 409, code: 'failed_precondition' } as const

async function givenPosting(t: Test) {
  const api = await givenApi(t, { services: { refuseDuplicates: ['mcp', 'dashboard'] } })
  const key = await api.key()
  const account = await api.world.account('facebook')
  const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`
  const call = (method: string, path: string, body?: object) => api.call({ method, path: `/v1${path}`, key, body })
  const content = (caption: string, more = {}) => ({
    ...{ mediaUrl, mediaType: 'image', caption, selections: { facebook: [account] }, allowDuplicate: false, ...more },
  })
  const queue = (caption: string, more = {}) => call('POST', '/posts', content(caption, more))
  const schedule = (caption: string, hours: number, more = {}) => {
    const at = new Date(api.world.clock.now() + hours * HOUR).toISOString()
    const when = { date: at.slice(0, 10), time: at.slice(11, 16) }
    return call('POST', '/posts/scheduled', content(caption, { ...when, ...more }))
  }
  return { api, key, account, call, queue, schedule, content, service: await givenProcess(api.world) }
}

t.test('given a post, when the same is posted again', async (t) => {
  const { api, key, account, queue, content, service } = await givenPosting(t)
  const first = String((await queue('Bread', { hashtags: ['rye'] })).body['id'])
  const message = new RegExp(`^${first} has the same text and media for the account ${account}, .*allowDuplicate`)

  await t.test('then it is refused while it is published, and afterwards, naming the first', async (t) => {
    t.match(await queue('Bread', { hashtags: ['#rye'] }), { ...AGAIN, message })
    await service.drain()
    t.match(await queue('Bread\n\n#rye'), { ...AGAIN, message }, 'what counts is the text as it is published')
    const other = await api.world.account('facebook')
    t.match(await queue('Bread\n\n#rye', { selections: { facebook: [other, account] } }), { ...AGAIN, message })
    t.match(await queue('Bread\n\n#rye', { selections: { facebook: [other] } }), { status: 202 }, 'another account')
    t.match(await queue('Bread'), { status: 202 }, 'another text')
    t.match(await queue('Bread\n\n#rye', { mediaUrl: 'https://example.com/b.jpg' }), { status: 202 }, 'other media')
  })

  await t.test('then a request can allow it, and API keys do by default', async (t) => {
    t.match(await queue('Bread\n\n#rye', { allowDuplicate: true }), { status: 202 })
    t.match(await queue('Bread\n\n#rye', { allowDuplicate: undefined }), { status: 202 })
  })

  await t.test('then an agent is refused by default, however the first was posted', async (t) => {
    const { call } = await mcpClient(t, await api.listen(), { key })
    const { allowDuplicate: _, ...body } = content('Rolls')
    const id = String((await queue('Rolls', { allowDuplicate: undefined })).body['id'])
    t.match((await call('queuePost', body)).error, { code: 'failed_precondition', message: new RegExp(`^${id} `) })
    t.match((await call('queuePost', { ...body, allowDuplicate: true })).answer, { queued: true })
    const args = { ...body, caption: 'Buns', idempotencyKey: 'one' }
    const [one, other] = [await call('queuePost', args), await call('queuePost', args)]
    t.equal(one.answer['id'], other.answer['id'], 'the same request is not another post')
    t.match((await call('queuePost', { ...args, idempotencyKey: 'two' })).error, { code: 'failed_precondition' })
  })

  await t.test('then it is taken a day later', async (t) => {
    await api.world.clock.advanceTo(api.world.clock.now() + 24 * HOUR)
    t.match(await queue('Bread\n\n#rye'), { status: 202 })
  })
})

t.test('given two processes, when the same is posted many times at once, then one post is made', async (t) => {
  const { api, key, content, account } = await givenPosting(t)
  const other = await api.world.account('x')
  const second = await api.server()
  const selections = [{ facebook: [account] }, { x: [other], facebook: [account] }, { facebook: [account], x: [other] }]
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      (n % 2 ? api : second).call({
        ...{ method: 'POST', path: '/v1/posts', key },
        body: content('At once', { selections: selections[n % 3] }),
      }),
    ),
  )
  t.equal(answers.filter((answer) => answer.status === 202).length, 1)
  t.equal(answers.filter((answer) => answer.code === 'failed_precondition').length, 29)
})

t.test('given a post that failed on an account, when it is posted there again, then it is taken', async (t) => {
  const { api, call, queue, service } = await givenPosting(t)
  const [one, two] = [await api.world.account('x'), await api.world.account('x')]
  const fault = { platform: 'x', call: 'publish', kind: 'reject', times: 1 } as const
  api.world.sandbox.faults.script({ ...fault, delayMs: 0, retryAfterSeconds: 1, accepted: false })
  const selections = { x: [one, two] }
  const id = String((await queue('Bread', { selections })).body['id'])
  await service.drain()
  t.match((await call('GET', `/posts/${id}`)).body, { summary: { succeeded: 1, failed: 1 } })
  t.match(await queue('Bread', { selections }), AGAIN)
  const again = await call('POST', `/posts/${id}/duplicate`, { accounts: 'failed', allowDuplicate: false })
  t.match(again, { status: 202, body: { duplicateOf: id } })
  await service.drain()
  const copy = String(again.body['id'])
  t.match((await call('GET', `/posts/${copy}`)).body, { summary: { succeeded: 1, failed: 0 } })
  const whole = await call('POST', `/posts/${id}/duplicate`, { allowDuplicate: false })
  t.match(whole, AGAIN, 'all accounts have it now')
})

t.test('given a scheduled post, when the same is scheduled', async (t) => {
  const { call, queue, schedule } = await givenPosting(t)
  const first = String((await schedule('Bread', 48)).body['id'])
  t.match(await schedule('Bread', 30), { ...AGAIN, message: new RegExp(`^${first} `) }, 'less than a day before it')
  t.match(await schedule('Bread', 71), AGAIN, 'less than a day after it')
  t.match(await schedule('Bread', 73), { status: 201 }, 'a day later')
  t.match(await queue('Bread'), { status: 202 }, 'now')
  t.equal((await call('PATCH', `/scheduled-posts/${first}`, { caption: 'Rolls' })).status, 200)
  t.match(await schedule('Bread', 48.5), { status: 201 }, 'the first has another text now')
  t.match(await schedule('Rolls', 47), { ...AGAIN, message: new RegExp(`^${first} `) })
  t.equal((await call('DELETE', `/scheduled-posts/${first}`)).status, 204)
  t.match(await schedule('Rolls', 47), { status: 201 }, 'it was canceled')
})

t.test('given a process that died before its post was in the log', async (t) => {
  const { api, queue } = await givenPosting(t)
  t.equal((await queue('Bread')).status, 202)
  await api.world.db.query(`update service.post_claims set post_id = 'post_gone'`)
  await api.world.db.query('truncate read.posts')
  t.match(await queue('Bread'), { ...AGAIN, message: /^post_gone / }, 'it may still be on its way')
  await api.world.clock.advanceTo(api.world.clock.now() + 60_000)
  t.match(await queue('Bread'), { status: 202 })
})

t.test('given a post whose append was not confirmed, when the same is posted, then it is refused', async (t) => {
  const { api, key, content, queue } = await givenPosting(t)
  await api.stopProjector()
  const { log } = api.world
  const append: typeof log.append = async (...given) => {
    await log.append(...given)
    throw new LogUnavailable('the connection was lost')
  }
  const server = await api.server({ services: { log: { ...log, append } } })
  t.equal((await server.call({ method: 'POST', path: '/v1/posts', key, body: content('Bread') })).status, 500)
  t.match(await queue('Bread'), AGAIN)
})
