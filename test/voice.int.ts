import t from 'tap'
import type { TextModel } from '../infra/ai/text.ts'
import { rewriteCaptions } from '../reactors/publishing/rewrite-caption.ts'
import { givenApi } from './support/api.ts'
import { givenInbox, MINUTE, pass, PACE } from './support/comments.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { mcpClient } from './support/mcp.ts'
import { movableClock } from './support/movable-clock.ts'
import { until } from './support/service-process.ts'
import { writtenText } from './support/text-model.ts'
import { givenProcess } from './support/world.ts'

/* How a workspace writes is said once, and followed wherever a text is drafted. */

const VOICE = 'Short sentences. We never shout. Sign as Åse.'

t.test('given a workspace that has a voice', async (t) => {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const { workspaceId } = await givenUser(api, 'ada')
  const own = api.world
  const world = {
    ...own,
    workspaceId,
    clock,
    account: (key: Parameters<typeof own.account>[0]) => own.account(key, workspaceId),
  }
  const page = await signIn(api, 'ada')
  const key = await api.key({ workspaceId })
  const read = () => api.call({ path: '/v1/voice', key })
  const set = (text: string) => page.call({ method: 'PUT', path: '/dashboard/api/voice', body: { text } })
  t.match(await read(), { status: 200, body: { text: '' } }, 'at first there is none')
  t.match(await set(VOICE), { status: 200, body: { text: VOICE } })
  await until('the voice', 10_000, async () => ((await read()).body['text'] === VOICE ? true : undefined))

  const instructions: string[] = []
  const textModel: TextModel = {
    write: async ({ instruction }) => {
      instructions.push(instruction)
      return writtenText('A text')
    },
  }

  await t.test('when the AI drafts a reply, then it is told so, besides the instruction of the account', async (t) => {
    const service = await givenProcess(world, { pace: PACE, textModel })
    const inbox = await givenInbox(world, 'bluesky', service)
    await inbox.automate({ mode: 'review', instruction: 'We bake bread.' })
    await inbox.comment('When do you open?')
    await pass(world, service, 10 * MINUTE)
    t.match(instructions, [/How we write: Short sentences[^]*Instruction: We bake bread\./])
  })
  await t.test('when the AI rewrites a caption, then it is told so', async (t) => {
    const before = { caption: 'Fresh rye bread', captionOverrides: {} }
    await rewriteCaptions(textModel, before, VOICE, new AbortController().signal)
    t.match(instructions.at(-1), /\n\nHow we write: Short sentences/)
    await rewriteCaptions(textModel, before, '', new AbortController().signal)
    t.notMatch(instructions.at(-1), /How we write/)
  })
  await t.test('when an agent begins, then it reads it, and cannot change it', async (t) => {
    const { call, client } = await mcpClient(t, await api.listen(), { key, profile: 'tasks' })
    t.match((await call('overview')).answer, { voice: VOICE })
    t.match((await call('read', { id: 'voice' })).answer, { text: VOICE })
    const { contents } = await client.readResource({ uri: 'fanfare://voice' })
    t.match(contents, [{ text: new RegExp('Short sentences') }])
    const tries = await api.call({ method: 'PUT', path: '/v1/voice', key, body: { text: 'Shout!' } })
    t.match(tries, { status: 405 })
    t.match(await api.call({ method: 'PUT', path: '/dashboard/api/voice', key, body: { text: 'Shout!' } }), {
      status: 401,
    })
  })
  await t.test('when another workspace asks, then it has none', async (t) => {
    t.match(await api.call({ path: '/v1/voice', key: await api.key() }), { status: 200, body: { text: '' } })
  })
  await t.test('when it is too long, then that is said, and it stays', async (t) => {
    t.match(await set('x'.repeat(2_001)), { status: 400, body: { error: { message: /text/ } } })
    t.match(await read(), { body: { text: VOICE } })
  })
  await t.test('when it is stored, then it is encrypted in the log', async (t) => {
    const { rows } = await world.db.query<{ row: string }>(
      "select e::text as row from log.events e where type = 'VoiceSet'",
    )
    t.equal(rows.length, 1)
    t.notMatch(rows[0]?.row, 'sentences')
  })
  await t.test('when it is removed, then drafts are as before', async (t) => {
    t.match(await set(''), { status: 200, body: { text: '' } })
    await until('no voice', 10_000, async () => ((await read()).body['text'] === '' ? true : undefined))
  })
})
