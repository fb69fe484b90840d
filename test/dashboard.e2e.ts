import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'node:http'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import type { Browser, Locator, Page } from 'playwright-core'
import * as z from 'zod'
import { pdf } from './support/documents.ts'
import { codeOf, keyOf } from '../infra/runtime/one-time-code.ts'
import { sample } from './support/media-samples.ts'
import {
  complaintsOf,
  faultsOf,
  findChromium,
  launchChromium,
  open,
  overflowOf,
  pathsOf,
  signInTo,
} from './support/dashboard-page.ts'
import { givenSandbox } from './support/sandbox.ts'
import { givenHome, startProcess, until } from './support/service-process.ts'

/*
 * The built page in a browser, on the built service with its sandbox: a user's way through each page's main task. What one
 * step has made the later ones show.
 */

const chromium = findChromium()
/** How long (ms) anything may take to be seen. */
const SEEN_MS = 45_000
/** What the files of the first page may take (bytes), packed as a browser asks for them. */
const MOST_AT_FIRST = 150_000
const scheduledSchema = z.object({
  scheduledPosts: z.array(z.object({ caption: z.string(), scheduledAtUtc: z.string() })),
})

/**
 * What Swagger UI has in its own markup and style, where nothing of ours stands: badges and notes in pale colours, a button to
 * copy the path within the one that opens an endpoint, lists of servers and examples without a name.
 */
const FAULTS_OF_SWAGGER_UI = ['color-contrast:', 'nested-interactive:', 'select-name:', 'heading-order:', 'region:']
const accountsSchema = z.object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
const appSchema = z.object({ clientId: z.string(), clientSecret: z.string() })

interface World {
  readonly browser: Browser
  readonly page: Page
  readonly url: string
  readonly sandbox: string
  readonly user: string
  readonly password: string
  readonly receiver: string
  /** A sandbox that the service's own app on X is registered with. */
  readonly elsewhere: string
  readonly complaints: readonly string[]
  /** The public API, by the demo key. */
  api(path: string, key?: string, body?: object): Promise<Response>
}

async function givenDashboard(t: Test, executablePath: string): Promise<World> {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { url: elsewhere } = await givenSandbox(t)
  const home = await givenHome(t, {
    OUTBOUND_ALLOW: `127.0.0.1:${address.port},${new URL(elsewhere).host}`,
    APP_HOSTS: elsewhere,
    RATE_LIMIT_PER_MINUTE: '10000',
    TZ: 'Europe/Oslo',
  })
  await control(elsewhere, 'accounts', { platform: 'x', label: 'Kari on X' })
  const redirectUri = `http://127.0.0.1:${home.port}/connect/x/callback`
  const app = appSchema.parse(await control(elsewhere, 'apps', { platform: 'x', redirectUri }))
  const environment = { ...home.environment, X_CLIENT_ID: app.clientId, X_CLIENT_SECRET: app.clientSecret }
  const service = startProcess({ ...home, environment })
  const browser = await launchChromium(executablePath)
  t.teardown(async () => {
    await browser.close()
    receiver.close()
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.ready
  await until('the way in to be printed', SEEN_MS, async () =>
    service.output().includes('Check the result') ? true : undefined,
  )
  const [, user = '', password = ''] = /Sign in +(\S+), (\S+)/.exec(service.output()) ?? []
  const [demoKey] = /fnf_\S+/.exec(service.output()) ?? []
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    timezoneId: 'Europe/Oslo',
    locale: 'en-GB',
  })
  page.setDefaultTimeout(SEEN_MS)
  const url = `http://127.0.0.1:${home.port}`
  return {
    browser,
    page,
    url,
    user,
    password,
    sandbox: `http://127.0.0.1:${home.sandboxPort}`,
    receiver: `http://127.0.0.1:${address.port}/hook`,
    elsewhere,
    complaints: complaintsOf(page),
    api: (path, key = demoKey, body) =>
      fetch(`${url}/v1${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
  }
}

async function control(sandbox: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${sandbox}/_control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.json()
}

const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' })
const seen = (place: Page | Locator, text: string | RegExp) => place.getByText(text).first().waitFor()
/** The box itself is drawn; what is pressed is its label. */
const choose = (place: Page | Locator, label: RegExp) => place.locator('.checkbox', { hasText: label }).click()

t.test(
  'a user goes through the dashboard',
  { skip: !chromium && !process.env['CI'] && 'there is no Chromium' },
  async (t) => {
    const world = await givenDashboard(t, chromium ?? '/usr/bin/chromium')
    const { page, url, sandbox, api } = world
    const dialog = page.getByRole('dialog')
    const image = `${sandbox}/media/sample.jpg`

    await t.test(
      'who is not known is told so, and comes in with the password that the first start has printed',
      async (t) => {
        await signInTo(page, url, world.user, 'wrong')
        await page.getByRole('alert').waitFor()
        await signInTo(page, url, world.user, world.password)
        await page.getByRole('heading', { name: 'Home' }).waitFor()
        await seen(page, 'Live')
        const bytes = await page.evaluate<number>(
          `performance.getEntriesByType('resource')
            .filter(({ name }) => name.includes('/assets/'))
            .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
        )
        t.ok(bytes > 0 && bytes < MOST_AT_FIRST, `${bytes} bytes at first load`)
      },
    )

    await t.test(
      'on the first visit, Home says what to do first, and leads to a day on which nothing is planned',
      async (t) => {
        await seen(page, '1 of 4 done')
        await seen(page, 'Nothing needs you right now.')
        t.equal(await page.locator('[data-figure="views"] strong').innerText(), '–', 'unknown, not zero')
        const days = page.locator('.next-days > li')
        t.equal(await days.count(), 7)
        const day = await days.nth(2).getAttribute('data-date')
        await days
          .nth(2)
          .getByRole('link', { name: /^Plan a post for / })
          .click()
        t.equal(await page.getByLabel('Date').inputValue(), day)
        await open(page, url)
        await button(page, 'Hide').click()
        await page.reload()
        await seen(page, 'Nothing needs you right now.')
        t.equal(await page.getByText('Get started').count(), 0)
      },
    )

    await t.test('a video is begun, and seen to be ready later', async () => {
      await open(page, `${url}/videos`)
      await button(page, 'Make a video').first().click()
      await dialog.getByLabel('Prompt').fill('A lighthouse in the fog')
      await button(dialog, 'Make video').click()
      await seen(page, /credits are left/)
    })

    await t.test('a post is previewed and published, and the page shows its outcome without a reload', async (t) => {
      await open(page, `${url}/compose`)
      await page.getByLabel('Image, video or document URL').fill(image)
      await page.getByLabel('Caption', { exact: true }).fill('Autumn leaves')
      await choose(page, /Instagram/)
      await choose(page, /YouTube/)
      await seen(page.locator('.preview', { hasText: 'YouTube' }), 'would fail')
      await seen(page.locator('.preview', { hasText: 'Instagram' }), 'ready')
      await seen(page.locator('.field-problems'), 'YouTube does not support image posts.')
      await seen(page, 'Not on YouTube (Demo youtube).')
      await choose(page, /Instagram/)
      t.equal(await button(page, 'Publish').isDisabled(), true, 'nobody is left')
      await choose(page, /Instagram/)
      await button(page, 'Publish to the 1 that can').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, 'Finished: published')

      // Only what does not ask first publishes what is known to fail.
      const { accounts } = accountsSchema.parse(await (await api('/accounts')).json())
      const chosen = ['instagram', 'youtube'].map((platform) => [platform, accounts[platform]?.map(({ id }) => id)])
      const body = {
        mediaUrl: image,
        mediaType: 'image',
        caption: 'Autumn light',
        selections: Object.fromEntries(chosen),
      }
      const queued = z.object({ id: z.string() }).parse(await (await api('/posts', undefined, body)).json())
      await open(page, `${url}/posts/${queued.id}`)
      await seen(page, /^View on /)
      await seen(page, 'Finished: published on 1 of 2 accounts')
      const link = (await page.getByRole('link', { name: 'View on Instagram' }).getAttribute('href')) ?? ''
      t.match(await (await fetch(link)).text(), 'Autumn light', 'the sandbox shows the post')
      await page.getByText('Details', { exact: true }).click()
      await seen(page, 'PostFinished')
      await seen(page.locator('.results'), 'Autumn light')
      t.same(await faultsOf(page), [])
      await button(page, 'Retry on YouTube').click()
      await seen(page, 'Retrying on YouTube.')
      await page.getByRole('link', { name: 'All posts' }).click()
      await page.getByRole('link', { name: 'Autumn light' }).waitFor()
    })

    await t.test('a post that failed on an account is edited and sent there again, from Home', async (t) => {
      await open(page, url)
      await seen(page, /^YouTube, Demo youtube: /)
      await button(page, 'Edit and send again').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Caption').fill('Autumn, on film')
      const first = page.url()
      await dialog.getByLabel('Caption').press('Control+Enter')
      await page.waitForURL((to) => /\/posts\/post_\w+$/.test(to.pathname) && to.href !== first)
      await seen(page, 'Autumn, on film')
      await seen(page, 'Finished: it was not published')
      t.same(await page.getByRole('heading', { level: 3 }).allTextContents(), ['YouTube'])
      await open(page, url)
      await button(page, 'Dismiss Autumn, on film').click()
      await seen(page, 'Nothing needs you right now.')
    })

    await t.test('the same post again is a question, which names the first', async (t) => {
      const again = async (accounts: () => Promise<void>) => {
        await open(page, `${url}/compose`)
        await page.getByLabel('Image, video or document URL').fill(image)
        await page.getByLabel('Caption', { exact: true }).fill('Twice')
        await accounts()
        await button(page, 'Publish').click()
      }
      await again(() => choose(page, /Bluesky/))
      await page.waitForURL('**/posts/post_*')
      const first = new URL(page.url()).pathname
      await again(() => button(page, 'Same account as last time').click())
      const dialog = page.getByRole('dialog')
      t.equal(await dialog.getByRole('link', { name: 'see that post' }).getAttribute('href'), first)
      await button(dialog, 'Publish anyway').click()
      await page.waitForURL('**/posts/post_*')
      t.not(new URL(page.url()).pathname, first)
    })

    await t.test('a post is seen as each network shows it, sent by keys, and duplicated', async (t) => {
      const begin = 'Rye bread takes three days, and this is why: '
      const text = `${begin}${'patience '.repeat(30)}#rye`
      await open(page, `${url}/compose`)
      await page.getByLabel('Image, video or document URL').fill(image)
      await page.getByLabel('Caption', { exact: true }).fill(text)
      await choose(page, /^X /)
      await choose(page, /Instagram/)
      const on = (platform: string) => page.locator('.preview', { hasText: platform })
      await seen(on('Instagram').locator('.post-text'), /…/)
      t.notMatch(await on('Instagram').locator('.post-text').innerText(), '#rye')
      await button(on('Instagram'), 'more').click()
      await on('Instagram').locator('.mark', { hasText: '#rye' }).waitFor()
      await button(page, new RegExp(`^X ${text.length}/280`)).click()
      await seen(page, /^X accepts posts of at most 280 characters/)
      t.same(await faultsOf(page), [])
      await page.getByLabel('Caption on X').fill(`${begin}patience.`)
      await button(page, new RegExp(`^X ${begin.length + 9}/280`)).waitFor()
      await seen(on('X'), 'ready')
      await page.keyboard.press('Control+Enter')
      await page.waitForURL('**/posts/post_*')
      await seen(page, 'Finished: published on all 2 accounts')
      await button(page, /^Duplicate Rye/).click()
      await page.waitForURL('**/compose?draft=draft_*')
      t.equal(await page.getByLabel('Caption', { exact: true }).inputValue(), text)
      await page.getByRole('radio', { name: 'X', exact: true }).click()
      t.equal(await page.getByLabel('Caption on X').inputValue(), `${begin}patience.`)
    })

    await t.test('a file is picked, removed, dropped and published, and one that is none says so', async (t) => {
      await open(page, `${url}/compose`)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose files').click()])
      await chooser.setFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html><body>Hi') })
      await seen(page.getByRole('alert'), /^The file is a web page, but contentType is image\/png/)
      t.equal(await button(page, 'Publish').isDisabled(), true)
      await button(page, 'Remove').click()
      await page.getByLabel('Image, video or document URL').waitFor()
      const { x = 0, y = 0 } = (await page.locator('.drop').boundingBox()) ?? {}
      const session = await page.context().newCDPSession(page)
      const data = {
        items: [],
        files: [join(t.testdir({ 'clip.mp4': sample('clip.mp4') }), 'clip.mp4')],
        dragOperationsMask: 1,
      }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data })
      }
      await button(page, 'Remove').waitFor()
      await page.getByLabel('Caption', { exact: true }).fill('From a disk')
      await choose(page, /Bluesky/)
      await seen(page.locator('.preview', { hasText: 'Bluesky' }), 'ready')
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)
    })

    await t.test('a PDF is posted as a document, with a title of its own', async (t) => {
      await open(page, `${url}/compose`)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose files').click()])
      await chooser.setFiles({ name: 'slides.pdf', mimeType: '', buffer: pdf(3) })
      await seen(page.locator('.tray-item'), 'slides.pdf')
      t.equal(await page.getByLabel('Alt text').count(), 0)
      await choose(page, /LinkedIn/)
      await choose(page, /Bluesky/)
      const preview = (platform: string) => page.locator('.preview', { hasText: platform })
      await seen(preview('LinkedIn'), /application\/pdf, 3 pages/)
      await seen(preview('Bluesky'), 'Bluesky does not support document posts: post its pages as images instead.')
      t.same(await faultsOf(page), [])
      await page.getByText('Options for LinkedIn').click()
      await page.getByLabel('Document title').fill('Rye in three days')
      await choose(page, /Bluesky/)
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)
      await seen(page, 'Open the document')
      await open(page, `${url}/library`)
      await page.getByRole('radio', { name: 'Documents' }).click()
      await button(page, /^document ?slides\.pdf/).click()
      await dialog.getByRole('link', { name: 'Open the document' }).waitFor()
    })

    await t.test('a file is put into the library, described, and posted from there', async (t) => {
      await open(page, `${url}/library`)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Upload files').click()])
      await chooser.setFiles({ name: 'bread.jpg', mimeType: 'image/jpeg', buffer: sample('picture.jpg') })
      await button(page, /^image ?bread\.jpg/).click()
      await dialog.getByLabel('Alt text').fill('Loaves of bread')
      await button(dialog, 'Save alt text').click()
      await seen(page, 'Saved.')
      await seen(dialog, 'No post has used it.')
      t.equal(await dialog.getByLabel('Keep until I delete it').isChecked(), true)
      t.same(await faultsOf(page), [])
      await page.keyboard.press('Escape')

      await open(page, `${url}/compose`)
      await button(page, 'From the library').click()
      await dialog.getByLabel('Search').fill('LOAVES')
      await button(dialog, /^image ?bread\.jpg/).click()
      t.same(await faultsOf(page), [])
      await button(dialog, 'Add').click()
      t.equal(await page.getByLabel('Alt text', { exact: true }).inputValue(), 'Loaves of bread')
      await page.getByLabel('Caption', { exact: true }).fill('From the library')
      await choose(page, /Bluesky/)
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)

      await open(page, `${url}/library`)
      await button(page, /^image ?bread\.jpg/).click()
      await dialog.getByRole('link', { name: 'From the library' }).click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, 'Loaves of bread')
    })

    await t.test('a HEIC from a phone is shown, and so is what Instagram gets of it', async () => {
      await open(page, `${url}/compose`)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose files').click()])
      await chooser.setFiles({ name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: sample('hills.heic') })
      await choose(page, /Instagram/)
      for (const image of ['.tray-item img', '.as-sent img']) {
        const widthOf = (element: unknown) => (element as { naturalWidth: number }).naturalWidth
        await until(`${image} to be shown`, SEEN_MS, async () =>
          (await page.locator(image).first().evaluate(widthOf)) > 0 ? true : undefined,
        )
      }
    })

    await t.test('a draft of two files is saved, found again, and published', async (t) => {
      await open(page, `${url}/compose`)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose files').click()])
      const file = { mimeType: 'image/jpeg', buffer: sample('picture.jpg') }
      await chooser.setFiles([
        { ...file, name: 'one.jpg' },
        { ...file, name: 'two.jpg' },
      ])
      await page.getByLabel('Alt text of item 2').fill('The second')
      await button(page, 'Move item 2 earlier').click()
      await button(page, 'Save draft').click()
      await page.waitForURL('**/compose?draft=draft_*')
      await page.getByLabel('Caption', { exact: true }).fill('A draft')
      await page.getByText('Saved.', { exact: true }).waitFor()
      await page.getByLabel('Hashtags').fill('left')
      await page.getByRole('link', { name: 'Posts', exact: true }).click()
      await page.getByRole('radio', { name: 'Drafts' }).click()
      await page.getByRole('link', { name: 'A draft' }).click()
      t.equal(await page.getByLabel('Alt text of item 1').inputValue(), 'The second')
      t.equal(await page.getByLabel('Hashtags').inputValue(), 'left', 'what was typed last is kept')
      await choose(page, /Bluesky/)
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)
      const posts = z.array(
        z.object({ caption: z.string(), items: z.array(z.object({ altText: z.string() }).partial()) }),
      )
      const sent = posts.parse(await (await fetch(`${sandbox}/_control/posts?platform=bluesky`)).json())
      const published = sent.find(({ caption }) => caption.startsWith('A draft'))
      t.match(published, { caption: 'A draft\n\n#left', items: [{ altText: 'The second' }, {}] })
    })

    await t.test('a draft without media keeps all that was typed, and is published', async (t) => {
      await open(page, `${url}/compose`)
      await page.getByLabel('Caption', { exact: true }).fill('Only words yet')
      await page.getByLabel('Hashtags').fill('later')
      await button(page, 'Continue in a reply').click()
      await page.getByLabel('Part 2').fill('And a reply')
      await button(page, 'Save draft').click()
      await page.waitForURL('**/compose?draft=draft_*')
      await page.reload()
      t.equal(await page.getByLabel('Caption', { exact: true }).inputValue(), 'Only words yet')
      t.equal(await page.getByLabel('Hashtags').inputValue(), 'later')
      t.equal(await page.getByLabel('Part 2').inputValue(), 'And a reply')
      await choose(page, /Bluesky/)
      await seen(page.locator('.preview', { hasText: 'Bluesky' }), 'ready')
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)
    })

    await t.test('a text is continued in a reply', async (t) => {
      await open(page, `${url}/compose`)
      await page.getByLabel('Caption', { exact: true }).fill('Day one')
      await button(page, 'Continue in a reply').click()
      await page.getByLabel('Part 2').fill('Day two')
      await choose(page, /Bluesky/)
      await button(page, /^Bluesky .*Write its own caption$/).click()
      await page.getByLabel('Caption on Bluesky').fill('Day one, in blue')
      await seen(page.locator('.preview', { hasText: 'Bluesky' }), 'ready')
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)
      await seen(page, 'Day two')
      const { posts } = z
        .object({
          posts: z.array(z.object({ caption: z.string(), parts: z.array(z.looseObject({})).optional() })),
        })
        .parse(await (await api('/posts')).json())
      const { parts } = posts.find(({ caption }) => caption === 'Day one') ?? {}
      t.match(parts, [{ text: 'Day one', textOverrides: { bluesky: 'Day one, in blue' } }, { text: 'Day two' }])
    })

    await t.test('a published post is edited, where the platform lets apps do that', async (t) => {
      await open(page, `${url}/compose`)
      await page.getByLabel('Caption', { exact: true }).fill('Closed on Tuseday')
      await choose(page, /Bluesky/)
      await choose(page, /LinkedIn/)
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, 'Finished: published on all 2 accounts')
      await button(page, 'Edit text').click()
      await seen(dialog, 'The text changes on LinkedIn. It stays as it is on Bluesky, where apps cannot edit posts.')
      await dialog.getByLabel('Caption').fill('Closed on Tuesday')
      await button(dialog, 'Save').click()
      await seen(page, /^Edited /)
      await seen(page, /Bluesky does not let apps edit posts\. Edit it on Bluesky yourself/)
      const posts = async (platform: string) => (await fetch(`${sandbox}/_control/posts?platform=${platform}`)).text()
      t.match(await posts('linkedin'), /Closed on Tuesday/)
      t.match(await posts('bluesky'), /Closed on Tuseday/)
    })

    await t.test('a scheduled post is edited', async (t) => {
      await open(page, `${url}/compose?date=2031-05-01`)
      await page.getByLabel('Image, video or document URL').fill(image)
      await page.getByLabel('Caption', { exact: true }).fill('Tpyo')
      await choose(page, /Bluesky/)
      await button(page, 'Schedule').click()
      const row = page.getByRole('listitem').filter({ hasText: 'Tpyo' })
      await row.getByRole('link', { name: 'Edit' }).click()
      t.equal(await page.getByLabel('Date').inputValue(), '2031-05-01')
      await page.getByLabel('Caption', { exact: true }).fill('Typo')
      await page.getByLabel('Time', { exact: true }).fill('11:15')
      await button(page, 'Save').click()
      await seen(page.getByRole('listitem').filter({ hasText: 'Typo' }), /2031-05-01 11:15 in Europe\/Oslo/)
      const { scheduledPosts } = scheduledSchema.parse(await (await api('/scheduled-posts')).json())
      const edited = scheduledPosts.find(({ caption }) => caption === 'Typo')
      t.equal(edited?.scheduledAtUtc, '2031-05-01T09:15:00.000Z')
    })

    const live = z.array(z.object({ id: z.string(), accountId: z.string() }))
    const [post] = live.parse(await (await fetch(`${sandbox}/_control/posts?platform=instagram`)).json())
    for (const author of ['kari', 'ola']) {
      await control(sandbox, 'comments', {
        platform: 'instagram',
        accountId: post?.accountId,
        postId: post?.id,
        text: 'Where is this?',
        author,
      })
    }

    await t.test('a scheduled post is put off by keys, by the mouse, and by its time', async (t) => {
      await open(page, `${url}/compose?date=2031-03-12`)
      await page.getByLabel('Image, video or document URL').fill(image)
      await page.getByLabel('Caption', { exact: true }).fill('Spring sale')
      await choose(page, /Instagram/)
      await button(page, 'Schedule').click()
      await seen(page, 'The post is scheduled.')

      const isAt = (at: string) =>
        until(`the post to be put off to ${at}`, SEEN_MS, async () => {
          const { scheduledPosts } = scheduledSchema.parse(await (await api('/scheduled-posts')).json())
          return scheduledPosts[0]?.scheduledAtUtc === at ? true : undefined
        })
      await open(page, `${url}/calendar?day=2031-03-12`)
      const on = (date: string) => page.locator(`.day[data-date="${date}"]`)
      await on('2031-03-12').getByText('Spring sale').waitFor()
      await button(page, 'Move Spring sale').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      const target = page.locator('.day:focus')
      while ((await target.getAttribute('data-date')) !== '2031-03-14') {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      t.ok(await isAt('2031-03-14T08:00:00.000Z'), 'by keys')
      await on('2031-03-14').getByText('Spring sale').waitFor()

      await page.locator('.entry', { hasText: 'Spring sale' }).dragTo(on('2031-03-20'))
      t.ok(await isAt('2031-03-20T08:00:00.000Z'), 'by the mouse')
      await on('2031-03-20').getByText('Spring sale').click()
      await dialog.getByLabel('Time').fill('17:30')
      await button(dialog, 'Reschedule').click()
      t.ok(await isAt('2031-03-20T16:30:00.000Z'), 'by its time')

      await open(page, `${url}/calendar?day=2031-03-12`)
      await page.locator('.entry', { hasText: 'Spring sale' }).dragTo(on('2031-03-24'))
      t.ok(await isAt('2031-03-24T16:30:00.000Z'), 'a step too far')
      await button(page, 'Undo').click()
      t.ok(await isAt('2031-03-20T16:30:00.000Z'), 'is taken back')

      await on('2031-03-21')
        .getByRole('link', { name: /^Plan a post for/ })
        .click()
      t.equal(await page.getByLabel('Date').inputValue(), '2031-03-21', 'a click on a day begins a post there')

      await open(page, `${url}/calendar?view=week&day=2031-03-20`)
      await page.locator('.entry', { hasText: 'Spring sale' }).dragTo(page.locator('[data-hour="2031-03-21 9"]'))
      t.ok(await isAt('2031-03-21T08:30:00.000Z'), 'to another hour by the mouse')
      await page.locator('[data-hour="2031-03-21 9"]').getByText('Spring sale').waitFor()
      await button(page, 'Move Spring sale').focus()
      await page.keyboard.press('Enter')
      await page.locator('.hour:focus').waitFor()
      for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
      t.ok(await isAt('2031-03-20T10:30:00.000Z'), 'and by arrow keys')
    })

    await t.test('the calendar says what would happen in the next days', async (t) => {
      await open(page, `${url}/calendar`)
      await button(page, 'What would happen').click()
      await page.getByText(/in the next 30 days\./).waitFor()
      t.same(await faultsOf(page), [])
    })
    await t.test('the calendar shows what the filters ask for, also after a reload, and gaps in a list', async (t) => {
      await open(page, `${url}/calendar?day=2031-03-20`)
      const sale = page.locator('.entry', { hasText: 'Spring sale' })
      await sale.waitFor()
      await page.getByLabel('Network').selectOption('bluesky')
      await sale.waitFor({ state: 'detached' })
      await page.getByLabel('Network').selectOption('instagram')
      await sale.waitFor()
      // Both before the page can show the first.
      await page.evaluate(`for (const [name, value] of [['Author', 'me'], ['Status', 'pending']]) {
        const { control } = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)
        control.value = value
        control.dispatchEvent(new Event('change', { bubbles: true }))
      }`)
      await page.reload()
      await sale.waitFor()
      t.equal(await page.getByLabel('Author').inputValue(), 'me')
      t.equal(await page.getByLabel('Status').inputValue(), 'pending')
      await page.getByLabel('Status').selectOption('Partly failed')
      await sale.waitFor({ state: 'detached' })
      await button(page, 'Clear filters').click()
      await page.getByRole('radio', { name: 'List' }).click()
      await page.getByRole('link', { name: 'Spring sale' }).waitFor()
      await seen(page.locator('.gap').first(), 'Nothing planned')
      t.same(await faultsOf(page), [])
    })

    await t.test('a CSV file is checked, and its good rows are scheduled', async () => {
      await open(page, `${url}/calendar?day=2032-02-02`)
      await button(page, 'Import CSV').click()
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(dialog, 'Choose a file').click()])
      const row = (at: string, account: string) => `${at},${account},From a file,${image}\n`
      const csv = `scheduled_for,accounts,caption,media_urls\n${row('2032-02-02T09:00:00Z', 'bluesky:Demo bluesky')}${row('2032-02-03T09:00:00Z', 'x:nobody')}`
      await chooser.setFiles([{ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }])
      await seen(dialog, /nobody is not a connected account/)
      await button(dialog, 'Schedule 1 post').click()
      await button(dialog, 'Done').click()
      await page.locator('.day[data-date="2032-02-02"]').getByText('From a file').waitFor()
    })

    await t.test('options of a platform are set, and its first comment is published', async (t) => {
      await open(page, `${url}/compose`)
      await page.getByLabel('Image, video or document URL').fill(image)
      await page.getByLabel('Caption', { exact: true }).fill('With options')
      await choose(page, /Bluesky/)
      await page.getByText('Options for Bluesky').click()
      await page.locator('details[open]').getByLabel('First comment', { exact: true }).fill('More in the shop')
      await seen(page, 'Options for Bluesky (1 set)')
      await button(page, 'Publish').click()
      await page.waitForURL('**/posts/post_*')
      await seen(page, /^View on /)
      const sent = await until('the first comment', SEEN_MS, async () => {
        const { posts } = z
          .object({
            posts: z.array(z.object({ caption: z.string(), publishResults: z.record(z.string(), z.unknown()) })),
          })
          .parse(await (await api('/posts')).json())
        const results = JSON.stringify(posts.find(({ caption }) => caption === 'With options')?.publishResults)
        return results?.includes('"firstComment":{"ok":true}') ? results : undefined
      })
      t.ok(sent)
    })

    await t.test('an account is connected, its automation set, and disconnected', async (t) => {
      const given = z
        .object({ label: z.string(), credentials: z.record(z.string(), z.string()), baseUrl: z.string() })
        .parse(await control(sandbox, 'accounts', { platform: 'bluesky', label: 'Second Bluesky' }))
      await open(page, `${url}/accounts`)
      await button(page, 'Connect an account').click()
      await button(dialog, 'Bluesky').click()
      for (const [field, value] of Object.entries(given.credentials))
        await dialog.getByLabel(field, { exact: true }).fill(value)
      await dialog.getByLabel('Label').fill('Our second')
      await dialog.getByText('Custom server').click()
      await dialog.getByLabel('Server URL').fill(given.baseUrl)
      await button(dialog, 'Check and connect').click()
      await seen(page, 'Our second is connected.')
      await button(page, 'Automation of Our second').click()
      await dialog.getByLabel('When a new comment arrives').selectOption('review')
      await dialog.getByLabel('Instruction').fill('We open at nine.')
      await button(dialog, 'Save').click()
      await seen(page, 'Automatic replies: drafted for review')
      await button(page, 'Automation of Our second').click()
      t.equal(await dialog.getByLabel('Instruction').inputValue(), 'We open at nine.', 'as it was set')
      await button(dialog, 'Close').click()
      await button(page, 'Disconnect Our second').click()
      await button(dialog, 'Disconnect').click()
      await seen(page, 'Our second is disconnected.')
    })

    await t.test('an account’s owner refuses, then consents on the platform, and is back each time', async (t) => {
      const begin = async () => {
        await button(page, 'Connect an account').click()
        await button(dialog, 'X').click()
        await dialog.getByText('Custom server').first().click()
        await dialog.getByLabel('Server URL').first().fill(`${world.elsewhere}/x`)
        await button(dialog, 'Continue to X').click()
        await page.locator('form').getByRole('button', { name: 'Continue to X' }).click()
      }
      await open(page, `${url}/accounts`)
      await begin()
      await button(page, 'Deny').click()
      await seen(page, 'X did not grant access')
      await page.getByRole('link', { name: 'Back to accounts' }).click()
      await begin()
      await button(page, 'Allow').click()
      await seen(page, /^@user\d+ is connected\.$/)
      t.equal(page.url(), `${url}/accounts`, 'said once')

      await button(page, 'Connect an account').click()
      await button(dialog, 'LinkedIn').click()
      await seen(dialog, 'set LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET')
      await button(dialog, 'Close').click()
    })

    await t.test('a key is shown once, works as far as its scopes go, and is revoked', async (t) => {
      await open(page, `${url}/settings/keys`)
      await button(page, 'Create a key').first().click()
      await dialog.getByLabel('Label').fill('A reader')
      await button(dialog, 'Read only').click()
      await button(dialog, 'Create key').click()
      const key = await dialog.getByLabel('Your new key').inputValue()
      await button(dialog, 'I have saved it').click()
      t.equal((await api('/posts', key)).status, 200)
      await button(page, 'Revoke A reader').click()
      await button(dialog, 'Revoke').click()
      await seen(page, 'A reader is revoked.')
      t.ok(
        await until('the key to be refused', SEEN_MS, async () =>
          (await api('/posts', key)).status === 401 ? true : undefined,
        ),
      )
    })

    await t.test('the activity says who did what as it happens, is filtered, and is saved as a file', async (t) => {
      await open(page, `${url}/settings/team`)
      await page.getByRole('radio', { name: 'Activity' }).click()
      await seen(page, 'A reader: The API key was revoked.')
      await page.getByLabel('What', { exact: true }).selectOption('Posts')
      await page.getByText('The API key was revoked.').waitFor({ state: 'detached' })
      const caption = 'Seen by those who watch'
      await api('/drafts', undefined, { caption, visibility: 'workspace' })
      await seen(page, `The draft was saved for the workspace: "${caption}".`)
      t.match(page.url(), /show=activity.*what=posts/)
      const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()])
      const saved = await readFile(await download.path(), 'utf8')
      t.match(saved, new RegExp(`^at,byKind,by,.*\r\n.*,key,demo,posts,.*${caption}`))
      t.same(await faultsOf(page), [])
    })

    await t.test('who is invited joins by the link, and does what the role allows until removed', async (t) => {
      const guest = await world.browser.newPage()
      const complaints = complaintsOf(guest)
      guest.setDefaultTimeout(SEEN_MS)
      await open(page, `${url}/settings/team`)
      await seen(page, 'No open invitations')
      await button(page, 'Invite').click()
      await dialog.getByLabel('For').fill('Ola')
      await seen(dialog, /^An author writes/)
      await button(dialog, 'Create link').click()
      const link = await dialog.getByLabel('Invitation link').inputValue()
      await button(dialog, 'I have saved it').click()
      await button(page, 'Revoke Ola').waitFor()

      await guest.goto(link)
      await guest.getByRole('heading', { name: /^Join .+ as author$/ }).waitFor()
      await guest.getByLabel('Name').fill(world.user)
      await guest.getByLabel('Password').fill('long enough')
      await button(guest, 'Join').click()
      await seen(guest.getByRole('alert'), /is taken\. Choose another\.$/)
      t.same(await faultsOf(guest), [])
      await guest.getByLabel('Name').fill('ola@example.com')
      await button(guest, 'Join').click()
      await guest.getByRole('heading', { name: 'Home' }).waitFor()
      t.equal(guest.url(), `${url}/`, 'without the link’s secret')
      const paths = await pathsOf(guest)
      t.ok(paths.includes('/compose') && paths.includes('/settings/team') && !paths.includes('/settings/keys'))
      t.equal(await guest.getByRole('heading', { name: 'Developers' }).count(), 0, 'nor is there an empty group')
      await open(guest, `${url}/settings/keys`)
      await seen(guest, 'Your role, author, does not include this page.')

      await page.getByLabel('Role of ola@example.com').selectOption('reader')
      await seen(page, 'No open invitations')
      await seen(guest, 'reader in')
      await guest.getByRole('link', { name: 'Compose' }).waitFor({ state: 'detached' })
      await page.getByLabel(`Role of ${world.user}`).selectOption('author')
      await button(dialog, 'Change my role').click()
      await seen(page, /^This is the last owner/)
      await button(dialog, 'Keep').click()
      await button(page, 'Reset the password of ola@example.com').click()
      const resetLink = await dialog.getByLabel('Reset link').inputValue()
      await button(dialog, 'I have saved it').click()
      await button(page, 'Revoke the reset link of ola@example.com').waitFor()
      await guest.goto(resetLink)
      await guest.getByLabel('New password').fill('long enough again')
      t.same(await faultsOf(guest), [])
      await button(guest, 'Set password and sign in').click()
      await guest.getByRole('heading', { name: 'Home' }).waitFor()
      t.equal(guest.url(), `${url}/`)

      await button(page, 'Remove ola@example.com').click()
      await button(dialog, 'Remove').click()
      await guest.getByRole('heading', { name: 'Sign in to Fanfare' }).waitFor()
      t.same(complaints, [])
      await guest.close()
    })

    await t.test('a code is asked for once that is turned on, and who signs out everywhere else is', async (t) => {
      await open(page, `${url}/settings/security`)
      await seen(page, 'This browser')
      await button(page, 'Set up').click()
      const key = (await dialog.locator('p.code').innerText()).replaceAll(' ', '')
      t.same(await faultsOf(page), [])
      await dialog.getByLabel('Code').fill(codeOf(keyOf(key), Math.floor(Date.now() / 30_000)))
      await dialog.getByLabel('Password').fill(world.password)
      await button(dialog, 'Turn on').click()
      const codes = (await dialog.getByLabel('Recovery codes').inputValue()).split('\n')
      t.equal(codes.length, 10)
      await button(dialog, 'I have saved it').click()
      await seen(page, '10 recovery codes are left.')

      const other = await world.browser.newPage()
      other.setDefaultTimeout(SEEN_MS)
      await signInTo(other, url, world.user, world.password)
      await other.getByRole('heading', { name: 'Enter your code' }).waitFor()
      await other.getByLabel('Code').fill(codes[0] ?? '')
      await button(other, 'Sign in').click()
      await other.getByRole('heading', { name: 'Home' }).waitFor()

      await open(page, `${url}/settings/security`)
      await button(page, 'Sign out everywhere else').click()
      await seen(page, 'You have been signed out everywhere else.')
      await other.getByRole('heading', { name: 'Sign in to Fanfare' }).waitFor()
      await button(page, 'Sign out everywhere else').waitFor({ state: 'detached' })
      await button(page, 'Turn off').click()
      await dialog.getByLabel('Code').fill(codes[1] ?? '')
      await dialog.getByLabel('Password').fill(world.password)
      await button(dialog, 'Turn off').click()
      await seen(page, 'Two-step sign-in is off.')
      await other.close()
    })

    await t.test('a comment is answered at once, another by a draft that keys approve', async () => {
      await open(page, `${url}/comments`)
      await page.waitForURL('**/inbox')
      await button(page, 'Check now').click()
      await button(page, /kari.*Where is this\?/).click()
      await page.keyboard.press('e')
      await page.getByLabel('Your reply to kari').fill('In Bergen!')
      await page.keyboard.press('Control+Enter')
      await seen(page, 'Reply sent.')
      await button(page, /ola.*Where is this\?/).focus()
      await page.keyboard.press('g')
      await seen(page, 'Draft added to “Draft ready”.')

      await page.getByRole('radio', { name: 'Draft ready' }).click()
      await seen(page, 'On your post')
      await page.getByText('Where this draft comes from').click()
      await seen(page, /^Written by sandbox-drafter, on request/)
      await page.keyboard.press('a')
      await seen(page, 'No replies to review')
      await page.getByRole('radio', { name: 'Done' }).click()
      await button(page, /ola.*Good question/).click()
      await seen(page, 'Your reply')
    })

    await t.test('the data of an author is found, and erased', async (t) => {
      await open(page, `${url}/inbox?state=done`)
      await button(page, /ola.*Where/).click()
      await page.getByRole('link', { name: 'Erase the data of ola' }).click()
      await page.getByLabel('Author').waitFor()
      await seen(page, /^Found: 1 comment and 1 reply/)
      await page.getByLabel('Author').fill('Nobody')
      await seen(page, 'Found: nothing.')
      t.ok(await button(page, 'Erase').isDisabled())
      await page.getByLabel('Author').fill('ola')
      await seen(page, /^Found: 1 comment and 1 reply/)
      await button(page, 'Erase').click()
      await button(dialog, 'Erase').click()
      await seen(page, 'Comments by one author')
      await open(page, `${url}/inbox?state=done`)
      await button(page, /kari/).waitFor()
      await button(page, /ola/).waitFor({ state: 'detached' })
    })

    await t.test('a webhook is registered, tested, and a delivery sent again', async () => {
      await open(page, `${url}/settings/webhooks`)
      await button(page, 'Register a webhook').first().click()
      await dialog.getByLabel('URL').fill(world.receiver)
      await button(dialog, 'Register').click()
      await button(dialog, 'I have saved it').click()
      await page.getByRole('link', { name: world.receiver }).click()
      await button(page, 'Send a test').click()
      await button(page, /^Resend/).click()
      await seen(page, 'Sending it again.')
      await seen(page, '2 attempts')
    })

    await t.test('a feed is followed, and a post recycled', async () => {
      await open(page, `${url}/feeds`)
      await button(page, 'Add a feed').first().click()
      await dialog.getByLabel('Feed URL').fill(`${sandbox}/feed.xml`)
      await choose(dialog, /Bluesky/)
      await button(dialog, 'Add feed').click()
      await page.getByText('Items', { exact: true }).click()
      await page.locator('.status', { hasText: 'seeded' }).first().waitFor()

      await open(page, `${url}/recycling`)
      await button(page, 'Recycle a post').first().click()
      await dialog.locator('.radio', { hasText: 'Autumn light' }).click()
      await button(dialog, 'Add rule').click()
      await button(page, 'Run now').click()
      await page.getByRole('link', { name: 'Latest post' }).waitFor()
    })

    await t.test('slots are set, and a post gets the next free one', async () => {
      await open(page, `${url}/settings/slots`)
      await seen(page, 'No slots yet')
      for (const day of ['Monday', 'Thursday']) await page.getByLabel(day).fill('9:00 17:30')
      await page.getByLabel('Other times for one platform').selectOption('Bluesky')
      await page.getByRole('region', { name: 'Only Bluesky' }).getByLabel('Monday').fill('25:00')
      await button(page, 'Save').click()
      await seen(page.getByRole('alert'), /platforms\.bluesky\[0\]\.time/)
      await button(page, 'Use the times of every platform').click()
      await button(page, 'Save').click()
      await seen(page, 'Saved.')
      await page.getByRole('listitem').locator('time').nth(4).waitFor()

      await open(page, `${url}/compose`)
      await page.getByLabel('Image, video or document URL').fill(image)
      await page.getByLabel('Caption', { exact: true }).fill('In a slot')
      await page.getByRole('radio', { name: 'Next free slot' }).click()
      await seen(page, 'Choose at least one account to see the time.')
      await choose(page, /Bluesky/)
      const time = (await page.locator('form time').getAttribute('datetime')) ?? ''
      await button(page, 'Schedule').click()
      await page.waitForURL('**/posts?show=scheduled')
      await page.locator(`time[datetime="${time}"]`).waitFor()
    })

    await t.test('the workspace gets another name and time zone', async (t) => {
      await open(page, `${url}/settings/general`)
      await page.getByLabel('Name').fill(' ')
      t.equal(await button(page, 'Save').isDisabled(), true)
      await page.getByLabel('Name').fill('The bakery')
      await page.getByLabel('Time zone').selectOption('America/New_York')
      await button(page, 'Save').click()
      await page.locator('.side .workspace', { hasText: 'The bakery' }).waitFor()
      await open(page, `${url}/settings/slots`)
      await seen(page, /^Times are in America\/New York\./)
      t.equal(await page.getByLabel('Monday').inputValue(), '09:00, 17:30', 'the times stay')
      await open(page, `${url}/settings/storage`)
      await seen(page, /^\d.* of 5\.0 GB · \d+ files$/)
    })

    await t.test('where the sections of the settings once were leads on to them', async (t) => {
      for (const [from, to] of [
        ['slots', 'slots'],
        ['credits', 'credits'],
        ['keys', 'keys'],
        ['team?show=activity&what=posts', 'team?show=activity&what=posts'],
        ['notifications', 'notifications'],
        ['webhooks/wh_gone', 'webhooks/wh_gone'],
        ['privacy?author=ola', 'storage?author=ola'],
        ['security', 'security'],
      ]) {
        await open(page, `${url}/${from}`)
        t.equal(page.url(), `${url}/settings/${to}`)
      }
      await open(page, `${url}/settings/nothing`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    })

    await t.test('the settings are gone through by keys, on a phone from a list', async (t) => {
      await open(page, `${url}/settings`)
      t.equal(page.url(), `${url}/settings/general`)
      const sections = page.getByRole('navigation', { name: 'Settings' })
      await sections.getByRole('link', { name: 'General' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.locator('h1:focus', { hasText: 'Slots' }).waitFor()
      t.equal(await sections.locator('[aria-current=page]').innerText(), 'Slots')
      await page.setViewportSize({ width: 390, height: 844 })
      await sections.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'All settings' }).focus()
      await page.keyboard.press('Enter')
      await page.locator('h1:focus', { hasText: 'Settings' }).waitFor()
      t.equal(page.url(), `${url}/settings`)
      await sections.getByRole('link', { name: 'Brand voice' }).click()
      await page.getByLabel('How you write').waitFor()
      await page.setViewportSize({ width: 1280, height: 900 })
      await sections.waitFor()
    })

    await t.test('the video is ready, and its credits are in the ledger', async () => {
      await open(page, `${url}/videos`)
      await page.locator('.status', { hasText: 'ready' }).waitFor({ timeout: 40_000 })
      await open(page, `${url}/settings/credits`)
      await seen(page, 'charged')
    })

    await t.test(
      'no page has a serious fault of accessibility, is wider than a phone, or breaks the policy',
      async (t) => {
        const pages = await pathsOf(page)
        t.equal(pages.length, 25)
        for (const path of pages) {
          await page.setViewportSize({ width: 1280, height: 900 })
          await open(page, `${url}${path}`)
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            t.same(await faultsOf(page), [], `${path}, wide and ${colorScheme}`)
          }
          await page.setViewportSize({ width: 320, height: 800 })
          t.ok((await overflowOf(page)) <= 0, `${path} fits a narrow window`)
        }
        await page.emulateMedia({ colorScheme: 'light' })
        for (const path of [
          '/compose',
          '/calendar',
          '/calendar?view=week&day=2031-03-20',
          '/calendar?view=list',
          '/inbox?state=done',
          '/analytics',
        ]) {
          await open(page, `${url}${path}`)
          t.same(await faultsOf(page), [], `${path}, narrow and light`)
        }
        t.same(world.complaints, [])
      },
    )

    await t.test('the reference has no fault but those of its library', async (t) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(`${url}/docs`)
      // One group has all that there is of elements; the whole of it takes axe a quarter of a minute.
      await page.getByPlaceholder('Filter by tag').fill('Credits')
      await page.locator('#operations-Posts-listPosts').waitFor({ state: 'detached' })
      await page.locator('.opblock-summary-control').first().click()
      await page.locator('.opblock-body .responses-wrapper').waitFor()
      const faults = (await faultsOf(page)).filter((fault) => !FAULTS_OF_SWAGGER_UI.some((id) => fault.startsWith(id)))
      t.same(faults, [])
    })

    await t.test('who signs out is out', async () => {
      await open(page, url)
      await button(page, 'Sign out').click()
      await page.getByRole('heading', { name: 'Sign in to Fanfare' }).waitFor()
    })
  },
)
