import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { openLedger, type LedgerComment, type LedgerPost } from '../packages/sandbox/ledger.ts'
import { ids, givenHttp, givenSandbox, postJson } from './support/sandbox.ts'

async function givenFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-ledger-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function post(id: string, more: Partial<LedgerPost> = {}): LedgerPost {
  return {
    id,
    platform: 'x',
    accountId: 'a',
    caption: `caption of ${id}`,
    mediaUrl: 'http://127.0.0.1/m',
    mediaType: 'image',
    createdAt: '2026-03-01T10:00:00.000Z',
    ...more,
  }
}

function comment(id: string, more: Partial<LedgerComment> = {}): LedgerComment {
  const { caption: text, createdAt, platform, accountId } = post(id)
  return { id, platform, accountId, writtenBy: 'fan', author: 'ann', text, createdAt, ...more }
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

t.test('every kind of entry comes back when the ledger is opened again', async (t) => {
  const folder = await givenFolder(t)
  const account = {
    platform: 'x',
    externalId: 'a',
    label: 'A',
    secrets: { accessToken: 'one' },
    createdAt: '2026-03-01T10:00:00.000Z',
  } as const
  const media = {
    id: 'm',
    platform: 'x',
    accountId: 'a',
    mediaType: 'image',
    mimeType: 'image/png',
    bytes: 3,
    sha256: 'abc',
  } as const
  const first = openLedger(folder)
  first.saveAccount(account)
  first.saveAccount({ ...account, secrets: { accessToken: 'two' } })
  first.addMedia(media)
  first.addPost(post('1', { token: 't' }))
  first.addPost(post('2', { token: 't', details: { rkey: '3k' } }))
  first.addPost(post('3', { accountId: 'b', token: 't' }))
  first.addPost(post('4', { platform: 'threads', token: 't' }))
  first.addComment(comment('c1', { postId: '1', token: 'ct', writtenBy: 'account' }))
  first.addComment(comment('c2', { postId: '1' }))
  first.addComment(comment('c3'))

  const second = openLedger(folder)
  for (const [name, ledger] of [['before', first] as const, ['after', second] as const]) {
    t.same(ledger.account('x', 'a')?.secrets, { accessToken: 'two' }, name)
    t.equal(ledger.account('threads', 'a'), undefined)
    t.same(ledger.media('x', 'm'), media)
    t.same(idsOf(ledger.posts('x')), ['1', '2', '3'])
    t.same(idsOf(ledger.posts('x', { accountId: 'a' })), ['1', '2'])
    t.same(idsOf(ledger.posts('x', { accountId: 'b', token: 't' })), ['3'])
    t.same(idsOf(ledger.posts('x', { accountId: 'a', token: 't' })), ['1', '2'])
    t.same(ledger.posts('x', { accountId: 'a', token: 'u' }), [])
    t.same(ledger.post('x', '2')?.details, { rkey: '3k' })
    t.equal(ledger.post('x', '4'), undefined, 'an id is of one platform')
    t.same(idsOf(ledger.commentsUnder('x', '1')), ['c1', 'c2'])
    t.same(idsOf(ledger.commentsUnder('x', '1', 'ct')), ['c1'])
    t.same(idsOf(ledger.commentsOf('x', 'a')), ['c1', 'c2', 'c3'])
    t.equal(ledger.comment('x', 'c2')?.author, 'ann')
  }
  first.close()
  second.close()
})

t.test('wherever the last line is cut, all before it is kept and what follows is whole', async (t) => {
  const folder = await givenFolder(t)
  const file = join(folder, 'ledger.ndjson')
  const written = openLedger(folder)
  written.addPost(post('1'))
  written.addPost(post('2', { caption: 'ünïcode 🎺' }))
  written.close()
  const whole = await readFile(file)
  const lastLine = whole.indexOf('\n') + 1

  for (let length = lastLine; length < whole.length; length += 1) {
    await writeFile(file, whole.subarray(0, length))
    const cut = openLedger(folder)
    const kept = idsOf(cut.posts('x'))
    cut.addPost(post('3'))
    cut.close()
    const again = openLedger(folder)
    const after = idsOf(again.posts('x'))
    again.close()
    if (kept.join() !== '1' || after.join() !== '1,3') t.fail(`cut at ${length}`, { kept, after })
  }
  t.ok(whole.length - lastLine > 100, 'cut at every byte of the last line')
})

t.test('a damaged line that is not the last one is an error, not a loss', async (t) => {
  const folder = await givenFolder(t)
  const file = join(folder, 'ledger.ndjson')
  const written = openLedger(folder)
  written.addPost(post('1'))
  written.close()
  for (const damage of ['{"kind":"post"', '{"kind":"post","value":{"id":1}}', (await readFile(file, 'utf8')).trim()]) {
    const before = await readFile(file)
    await appendFile(file, `${damage}\n`)
    t.throws(() => openLedger(folder), { message: /ledger\.ndjson, line 2 is damaged/ })
    await writeFile(file, before)
  }
})

t.test('an id is used once', async (t) => {
  const ledger = openLedger()
  ledger.addPost(post('1'))
  t.throws(() => ledger.addPost(post('1')), /taken/)
  ledger.addPost(post('1', { platform: 'threads' }))
  t.same(idsOf(ledger.posts('x')), ['1'])
})

t.test('a removed post is gone permanently, and its ID is free', async (t) => {
  const folder = await givenFolder(t)
  const first = openLedger(folder)
  for (const id of ['1', '2', '3']) first.addPost(post(id, { token: 't' }))
  first.removePost('x', '2')
  first.removePost('x', 'never was')
  const second = openLedger(folder)
  for (const ledger of [first, second]) {
    t.equal(ledger.post('x', '2'), undefined)
    t.same(idsOf(ledger.posts('x')), ['1', '3'])
    t.same(idsOf(ledger.posts('x', { accountId: 'a' })), ['1', '3'])
    t.same(idsOf(ledger.posts('x', { accountId: 'a', token: 't' })), ['1', '3'])
    ledger.addPost(post('2', { caption: 'again' }))
    t.same(idsOf(ledger.posts('x')), ['1', '3', '2'])
    ledger.close()
  }
})

t.test('a removed comment is gone permanently, and its ID is free', async (t) => {
  const folder = await givenFolder(t)
  const first = openLedger(folder)
  for (const id of ['1', '2']) first.addComment(comment(id))
  first.removeComment('x', '1')
  const second = openLedger(folder)
  for (const ledger of [first, second]) {
    t.same(ledger.comment('x', '1'), undefined)
    t.same(idsOf(ledger.commentsOf('x', 'a')), ['2'])
    ledger.addComment(comment('1'))
    ledger.close()
  }
})

t.test('what was answered outlives kill -9 in that instant', async (t) => {
  const folder = await givenFolder(t)
  const http = givenHttp(t)
  const entry = fileURLToPath(new URL('support/sandbox-process.ts', import.meta.url))

  for (let round = 1; round <= 3; round += 1) {
    const sandbox = spawn(process.execPath, ['--import=tsx', entry, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => sandbox.kill('SIGKILL'))
    const exited = once(sandbox, 'exit')
    const [url] = await once(createInterface(sandbox.stdout), 'line')
    const answered = new Set<string>()
    const keepAsking = async (): Promise<void> => {
      for (;;) {
        const externalId = ids.token()
        const { status } = await postJson(http, `${url}/_control/accounts`, { platform: 'tiktok', externalId })
        t.equal(status, 201)
        answered.add(externalId)
        if (answered.size === 50 * round) sandbox.kill('SIGKILL')
      }
    }
    await t.rejects(Promise.all([keepAsking(), keepAsking(), keepAsking()]), { name: 'HttpFailure' })
    await exited
    const ledger = openLedger(folder)
    t.ok(answered.size >= 50 * round)
    t.same(
      [...answered].filter((externalId) => !ledger.account('tiktok', externalId)),
      [],
      `round ${round}: nothing answered is lost`,
    )
    ledger.close()
  }
  t.ok((await givenSandbox(t, { dataDir: folder })).ledger, 'and a sandbox starts on it')
})
