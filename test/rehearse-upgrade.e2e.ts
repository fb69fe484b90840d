import { once } from 'node:events'
import t from 'tap'
import * as z from 'zod'
import { eventsUpTo, givenPosts, givenService, inDatabase } from './support/backup.ts'
import { givenHome, runCommand, startProcess, until, type Home } from './support/service-process.ts'

/* The rehearsal of an upgrade as operators run it: beside a service with its embedded Postgres. */

const rehearsalSchema = z.object({
  asExpected: z.boolean(),
  readModels: z.array(z.object({ projection: z.string(), compared: z.string() })),
})
const LEFT = `select datname from pg_database where datname like 'fanfare_rehearsal_%'`
const POSTS = 'select p::text as post from read.posts p order by id'

async function rehearsal(home: Home) {
  const { stdout, stderr, code } = await runCommand(home, ['rehearse', 'upgrade', '--json'])
  if (stdout === '') throw new Error(stderr)
  return { code, ...rehearsalSchema.parse(JSON.parse(stdout)) }
}

t.test('given a running service with its own Postgres', async (t) => {
  const home = await givenHome(t)
  const service = await givenService(t, home)
  const posts = await givenPosts(home)
  const id = await posts.post('before')
  await until('the post to be published', 60_000, async () =>
    (await posts.status(id)) === 'published' ? true : undefined,
  )

  await t.test('when an upgrade is rehearsed, then all is equal, and the service goes on', async (t) => {
    const found = await rehearsal(home)
    t.match(found, { code: 0, asExpected: true })
    t.ok(found.readModels.every(({ compared }) => compared === 'equal'))
    t.same(await inDatabase(home.dataDir, LEFT), [])
    t.equal(await posts.status(id), 'published')
  })

  await t.test(
    'when the rehearsal is killed, then the live data is as before, and the next one tidies up',
    async (t) => {
      const [events, rows] = [await eventsUpTo(home.dataDir), await inDatabase(home.dataDir, POSTS)]
      const { child } = startProcess(home, ['rehearse', 'upgrade'])
      await until('the copy', 60_000, async () => {
        const [copy] = await inDatabase<{ datname: string }>(home.dataDir, LEFT)
        return copy
      })
      child.kill('SIGKILL')
      await once(child, 'exit')
      t.same((await inDatabase(home.dataDir, LEFT)).length, 1)
      t.same(await eventsUpTo(home.dataDir), events)
      t.same(await inDatabase(home.dataDir, POSTS), rows)
      t.match(await rehearsal(home), { code: 0, asExpected: true })
      t.same(await inDatabase(home.dataDir, LEFT), [])
    },
  )

  await t.test('when it is interrupted, then nothing is left', async (t) => {
    const { child, output } = startProcess(home, ['rehearse', 'upgrade'])
    await until('the copy', 60_000, async () => {
      const [copy] = await inDatabase<{ datname: string }>(home.dataDir, LEFT)
      return copy
    })
    child.kill('SIGINT')
    t.same(await once(child, 'exit'), [1, null])
    t.match(output(), /Stopped\. Nothing is left of the rehearsal\./)
    t.same(await inDatabase(home.dataDir, LEFT), [])
  })
  await service.stop()

  await t.test('when the service does not run, then it works the same', async (t) => {
    t.match(await rehearsal(home), { code: 0, asExpected: true })
  })

  await t.test('when there is no database, then it is refused', async (t) => {
    const without = { ...home, environment: { ...home.environment, DATA_DIR: `${home.dataDir}/none` } }
    const { code, stderr } = await runCommand(without, ['rehearse', 'upgrade'])
    t.equal(code, 1)
    t.match(stderr, /There is nothing to rehearse: .* has no database/)
  })
})
