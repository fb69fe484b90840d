import t from 'tap'
import { PLATFORM_KEYS } from '../domain/core/platform.ts'
import type { PublishJob } from '../platforms/kit/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { answering, crowd, givenScene, ruledOut, TEXT, tidied, type Kind } from './support/find-by-content.ts'
import { refusal } from './support/meta.ts'

/*
 * A log that was restored has forgotten what was published since, and all that would have told of it. Each platform is asked what
 * it shows.
 */

interface Case extends Kind {
  /** What is said where it is not listed: `absent` unless the list may leave posts out. */
  readonly missing?: 'unknown'
  /** More posts than are looked through. Left out where another case asks the same list. */
  readonly tooMany?: number
  /** A post is identified by something of ours: other posts with its text do not matter. */
  readonly isExact?: true
}

const CASES: readonly Case[] = [
  { platform: 'bluesky', mediaType: 'image', media: 'sample', tooMany: 1_000, isExact: true },
  { platform: 'x', mediaType: 'image', media: 'sample', tooMany: 800 },
  { platform: 'x', mediaType: 'video', media: 'sample' },
  { platform: 'facebook', mediaType: 'image', media: 'sample', tooMany: 500 },
  { platform: 'facebook', mediaType: 'video', media: 'sample' },
  { platform: 'facebook', mediaType: 'video', media: 'landscape' },
  { platform: 'instagram', mediaType: 'image', media: 'sample', tooMany: 500 },
  { platform: 'instagram', mediaType: 'video', media: 'sample' },
  { platform: 'threads', mediaType: 'image', media: 'sample', tooMany: 1_000 },
  { platform: 'threads', mediaType: 'video', media: 'sample' },
  { platform: 'tiktok', mediaType: 'image', media: 'sample', tooMany: 100, missing: 'unknown' },
  { platform: 'tiktok', mediaType: 'video', media: 'sample', missing: 'unknown' },
  { platform: 'youtube', mediaType: 'video', media: 'sample', tooMany: 200 },
  { platform: 'linkedin', mediaType: 'image', media: 'sample', tooMany: 500 },
  { platform: 'linkedin', mediaType: 'video', media: 'sample' },
  { platform: 'pinterest', mediaType: 'image', media: 'sample', tooMany: 1_000 },
  { platform: 'pinterest', mediaType: 'video', media: 'sample' },
  { platform: 'googlebusiness', mediaType: 'image', media: 'sample', tooMany: 1_000 },
  { platform: 'mastodon', mediaType: 'image', media: 'sample', tooMany: 400 },
  { platform: 'mastodon', mediaType: 'video', media: 'sample' },
]

const HOUR_MS = 3_600_000
const UNKNOWN = { outcome: 'unknown' } as const

t.strictSame(new Set(CASES.map(({ platform }) => platform)), new Set(PLATFORM_KEYS), 'no platform is left out')

for (const { missing = 'absent', tooMany, isExact = false, ...kind } of CASES) {
  const what = kind.media === 'sample' ? kind.mediaType : `${kind.media} ${kind.mediaType}`
  t.test(`given a service that has forgotten its ${what} on ${kind.platform}`, async (t) => {
    const scene = await givenScene(t, kind)
    const { clock, look, later, publish, live } = scene
    const MISSING = { outcome: missing }
    let since = clock.now()
    const afresh = async (): Promise<void> => {
      await later(2 * HOUR_MS)
      since = clock.now()
    }

    await t.test('when it was not published, then it is not found', async (t) => {
      t.strictSame(await look(scene.job(), since), MISSING)
    })

    await t.test('when it was published, then exactly it is found, as publishing returned it', async (t) => {
      await afresh()
      await publish(scene.job('Something else'))
      const job = scene.job()
      const published = await publish(job)
      t.strictSame(await look(job, since), { outcome: 'found', found: published })
      if (!isExact) {
        tidied(scene, live(published))
        t.strictSame(await look(job, since), { outcome: 'found', found: published }, 'also as a platform may show it')
      }
      t.strictSame(await look(scene.job(`${TEXT} not`), since), MISSING, 'and no other is taken for it')
    })

    await t.test('when one was published before, then that is not it', async (t) => {
      await afresh()
      t.strictSame(await look(scene.job(), since), MISSING)
    })

    await t.test(
      'when two have the same text, then the outcome is unknown, unless one is known to be another',
      async (t) => {
        await afresh()
        const jobs = [scene.job(), scene.job()] as const
        const [first, second] = [await publish(jobs[0]), await publish(jobs[1])]
        const found = { outcome: 'found', found: second }
        if (isExact) return t.strictSame(await look(jobs[1], since), found)
        t.strictSame(await look(jobs[1], since), UNKNOWN)
        t.strictSame(await look(jobs[1], since, { others: ruledOut(first.postId) }), found)
        const both = ruledOut(first.postId, second.postId)
        t.strictSame(await look(jobs[1], since, { others: both }), MISSING, 'not even one is left')
        for (const doubt of ['passing', 'lasting'] as const) {
          const others = async () => ({ ruledOut: new Set([first.postId]), doubt })
          t.strictSame(await look(jobs[1], since, { others }), UNKNOWN, `a ${doubt} doubt`)
        }
      },
    )

    await t.test('when it has no text, then one that has none either is not taken for it', async (t) => {
      await afresh()
      t.strictSame(await look(scene.job(''), since), MISSING)
      const job = scene.job('')
      const published = await publish(job)
      t.strictSame(await look(job, since), isExact ? { outcome: 'found', found: published } : UNKNOWN)
      t.strictSame(await look(scene.job(), since), MISSING, 'and one that has a text is another')
    })

    await t.test('when the platform fails, then it is worth another look', async (t) => {
      const failing = await answering(t, scene.io, 500)
      t.equal((await refusal(look(scene.job(), since, { with: failing }))).kind, 'retryable')
      const refusing = await answering(t, scene.io, 403, '{"error":{"code":200,"message":"(#200) Not allowed"}}')
      t.strictSame(await look(scene.job(), since, { with: refusing }), UNKNOWN, 'what is refused is not')
    })

    if (tooMany === undefined) return
    await t.test('when there are more posts than are searched, then the outcome is unknown', async (t) => {
      await afresh()
      const job = scene.job()
      const post = live(await publish(job))
      crowd(scene, post, tooMany)
      t.strictSame(await look(scene.job(), since), UNKNOWN)
    })
  })
}

for (const platform of ['linkedin', 'facebook', 'threads'] as const) {
  t.test(`given a service that has forgotten its text on ${platform}`, async (t) => {
    const scene = await givenScene(t, { platform, mediaType: 'text', media: 'sample' })
    const { look, later, publish, live } = scene
    const since = scene.clock.now()
    const image = { ...scene.job(), mediaType: 'image', mediaUrl: `${scene.sandbox.url}/media/sample.jpg` } as const
    const withImage: PublishJob = { ...image, media: [{ type: 'image', url: image.mediaUrl }] }

    await t.test('when only an image was published with it, then it is not found', async (t) => {
      await publish(withImage)
      t.strictSame(await look(scene.job(), since), { outcome: 'absent' })
    })

    await t.test('when it was published, then exactly it is found, as publishing returned it', async (t) => {
      await later(HOUR_MS)
      const published = await publish(scene.job())
      t.strictSame(await look(scene.job(), since), { outcome: 'found', found: published })
      tidied(scene, live(published))
      t.strictSame(await look(scene.job(), since), { outcome: 'found', found: published })
      t.strictSame(await look(scene.job(`${TEXT} not`), since), { outcome: 'absent' })
    })

    await t.test('when two have the same text, then the outcome is unknown', async (t) => {
      await later(HOUR_MS)
      await publish(scene.job())
      t.strictSame(await look(scene.job(), since), UNKNOWN)
    })

    await t.test('when it is blank, then it is refused before anything is sent', async (t) => {
      t.match(await refusal(publish(scene.job(' '))), { kind: 'permanent', message: /needs a text/ })
    })
  })
}

t.test('given a chain on Threads that was forgotten', async (t) => {
  const scene = await givenScene(t, { platform: 'threads', mediaType: 'text', media: 'sample' })
  const { look, publish } = scene
  const since = scene.clock.now()
  const first = await publish(scene.job('One'))
  const second = { ...scene.job('Two'), inReplyTo: { first, previous: first } }

  await t.test('when the next part was not published, then it is not found', async (t) => {
    t.strictSame(await look(second, since), { outcome: 'absent' })
  })

  await t.test('when it was published, then it is found only as a reply to the part before', async (t) => {
    const published = await publish(second)
    t.strictSame(await look(second, since), { outcome: 'found', found: published })
    t.strictSame(await look(scene.job('Two'), since), { outcome: 'absent' })
    const third = { ...second, inReplyTo: { first, previous: published } }
    t.strictSame(await look(third, since), { outcome: 'absent' })
  })

  await t.test('when its replies may not be read, then the outcome is unknown', async (t) => {
    const { ledger } = scene.sandbox
    const account = ledger.account('threads', second.account.externalId)
    if (!account) throw new Error('no account')
    ledger.saveAccount({ ...account, label: 'unread' })
    t.strictSame(await look(second, since), UNKNOWN)
  })
})

t.test(
  'given a channel whose videos not everybody sees, when one is not listed, then that proves nothing',
  async (t) => {
    const scene = await givenScene(t, { platform: 'youtube', mediaType: 'video', media: 'sample' })
    const credentials = { ...(await scene.io.credentials.read()), privacyStatus: 'private' }
    const io = { ...scene.io, credentials: { ...scene.io.credentials, read: async () => credentials } }
    t.strictSame(await scene.look(scene.job(), scene.clock.now(), { with: io }), UNKNOWN)
  },
)

t.test(
  'given videos with texts of their own, then one is found by its title, not by a description that others may have',
  async (t) => {
    const scene = await givenScene(t, { platform: 'youtube', mediaType: 'video', media: 'sample' })
    const since = scene.clock.now()
    const titled = { ...scene.job(), options: { title: 'Titled' } }
    const published = await scene.publish(titled)
    t.strictSame(await scene.look(scene.job(), since), { outcome: 'absent' })
    t.strictSame(await scene.look(titled, since), { outcome: 'found', found: published })
    const described = { ...scene.job('Bread'), options: { description: 'Recipes on our site' } }
    t.strictSame(await scene.look(described, since), { outcome: 'absent' })
    await scene.publish(described)
    t.strictSame(await scene.look(described, since), UNKNOWN)
    const hidden = { ...scene.job('Hidden'), options: { privacy: 'private' } }
    t.strictSame(await scene.look(hidden, since), UNKNOWN)
  },
)

t.test('given a member of LinkedIn, who may not read posts back, then the outcome is unknown', async (t) => {
  for (const mediaType of ['image', 'text'] as const) {
    const kind: Kind = { platform: 'linkedin', mediaType, media: 'sample' }
    const scene = await givenScene(t, kind, { externalId: 'urn:li:person:Ab_12-x' })
    const since = scene.clock.now()
    const job = scene.job()
    await scene.publish(job)
    t.strictSame(await scene.look(job, since), UNKNOWN)
  }
})

t.test('given posts of a feed on X, which differ by their links, then each is found by its own', async (t) => {
  const scene = await givenScene(t, { platform: 'x', mediaType: 'image', media: 'sample' })
  const since = scene.clock.now()
  const [first, second] = ['first', 'second'].map((page) => scene.job(`New: https://example.com/${page}`)) as [
    ReturnType<typeof scene.job>,
    ReturnType<typeof scene.job>,
  ]
  const published = await scene.publish(first)
  t.strictSame(await scene.look(second, since), UNKNOWN, 'how X writes a link is not sure enough to send another')
  t.strictSame(await scene.look(first, since), { outcome: 'found', found: published })
  const other = await scene.publish(second)
  t.strictSame(await scene.look(second, since), { outcome: 'found', found: other })
})

t.test('given a post on Bluesky whose time was forgotten too, then it is found by the rest of its key', async (t) => {
  const scene = await givenScene(t, { platform: 'bluesky', mediaType: 'image', media: 'sample' })
  const since = scene.clock.now()
  const job = scene.job()
  const published = await scene.publish(job)
  await scene.later(HOUR_MS)
  const queuedAgain = { ...job, queuedAt: scene.job().queuedAt }
  t.strictSame(await scene.look(queuedAgain, since), { outcome: 'found', found: published })
  t.strictSame(await scene.look({ ...queuedAgain, text: 'Edited' }, since), UNKNOWN)
})

t.test('given a reply on Bluesky that was forgotten, then it is looked for and not sent', async (t) => {
  const scene = await givenScene(t, { platform: 'bluesky', mediaType: 'image', media: 'sample' })
  const { conversation } = platforms.bluesky
  const { http, sandbox, io } = scene
  const { account } = scene.job()
  const { postId } = await scene.publish(scene.job())
  const body = { platform: 'bluesky', accountId: account.externalId, postId, text: 'How much?', author: 'Ann' }
  const headers = { 'content-type': 'application/json' }
  await http.request(`${sandbox.url}/_control/comments`, { method: 'POST', headers, body: JSON.stringify(body) })
  const comments = []
  for await (const page of conversation?.fetch(account, new Date(0).toISOString(), io) ?? []) comments.push(...page)
  const [comment] = comments
  if (!comment || !conversation?.find) throw new Error('there is no comment to answer')
  const { id: commentId, references } = comment
  const approvedAt = new Date(scene.clock.now()).toISOString()
  const job = { key: crypto.randomUUID(), account, commentId, references, text: TEXT, approvedAt }

  t.strictSame(await conversation.find(job, io), { outcome: 'absent' })
  t.equal(sandbox.ledger.commentsOf('bluesky', account.externalId).length, 1, 'nothing was sent')
  const sent = await conversation.reply(job, io)
  t.strictSame(await conversation.find(job, io), { outcome: 'found', found: sent })
  t.strictSame(await conversation.find({ ...job, text: 'Another' }, io), UNKNOWN)
  t.strictSame(await conversation.find({ ...job, key: crypto.randomUUID() }, io), { outcome: 'absent' })
  t.equal((await refusal(conversation.find(job, await answering(t, io, 500)))).kind, 'retryable')
})
