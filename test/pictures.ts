import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import type { Browser, Locator, Page } from 'playwright-core'
import * as z from 'zod'
import { COMMENTS, drawings, NETWORKS, PLANNED, PUBLISHED, svgOf, TOO_LONG, type Drawing } from './support/bakery.ts'
import {
  button,
  findChromium,
  givenServiceAndBrowser,
  open,
  printedBy,
  seen,
  signInTo,
} from './support/dashboard-page.ts'
import { givenHome, runCommand, until } from './support/service-process.ts'

/*
 * The pictures in docs/images, of a service of its own that has the posts of an invented bakery: `npm run pictures`. The moving
 * one needs ffmpeg in `PATH`.
 */

const IMAGES = join(import.meta.dirname, '../docs/images')
const SEEN_MS = 60_000
const DAY_MS = 86_400_000
const WORKSPACE = 'Corner Bakery'
const LOOK = { locale: 'en-GB', timezoneId: 'UTC' }
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

const given = z.object({ credentials: z.record(z.string(), z.string()), baseUrl: z.string() })
const accountsSchema = z.object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
const uploadSchema = z.object({ uploadUrl: z.string(), mediaUrl: z.string() })
const idSchema = z.object({ id: z.string() })
const commentsSchema = z.object({ comments: z.array(idSchema) })
const livePosts = z.array(z.object({ id: z.string(), accountId: z.string(), caption: z.string() }))

/** A workspace with an account on each network, and how to get in. */
async function givenBakery() {
  const own = await givenHome(t, { RATE_LIMIT_PER_MINUTE: '10000', TZ: 'UTC' })
  const home = { ...own, environment: { ...own.environment, OUTBOUND_ALLOW: `127.0.0.1:${own.sandboxPort}` } }
  const { service, browser } = await givenServiceAndBrowser(t, findChromium() ?? '', home)
  const { url, sandbox, control } = printedBy(service, home)
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await runCommand(home, [...args, '--json'])
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as unknown
  }
  await run('workspaces', 'create', WORKSPACE)
  const { password } = z
    .object({ password: z.string() })
    .parse(await run('users', 'create', 'ada', '--workspace', WORKSPACE))
  const { key } = z
    .object({ key: z.string() })
    .parse(await run('keys', 'create', '--workspace', WORKSPACE, '--scopes', 'all'))
  for (const platform of NETWORKS) {
    const { credentials, baseUrl } = given.parse(await control('accounts', { platform, label: WORKSPACE }))
    const as = ['--credentials', JSON.stringify(credentials), '--base-url', baseUrl, '--label', WORKSPACE]
    await run('accounts', 'connect', platform, '--workspace', WORKSPACE, ...as)
  }
  const api = async (path: string, body?: object, method = body ? 'POST' : 'GET') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const read: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(read)}`)
    return read
  }
  return { url, sandbox, control, browser, password, api }
}

type Bakery = Awaited<ReturnType<typeof givenBakery>>

async function drawn(browser: Browser): Promise<Readonly<Record<Drawing, Buffer>>> {
  const page = await browser.newPage({ viewport: { width: 1080, height: 1080 } })
  const made: Partial<Record<Drawing, Buffer>> = {}
  for (const drawing of drawings) {
    await page.setContent(`<body style="margin:0">${svgOf(drawing)}`)
    made[drawing] = await page.screenshot({ type: 'jpeg', quality: 90 })
  }
  await page.close()
  return made as Record<Drawing, Buffer>
}

/** Fills the calendar and the inbox. */
async function fill({ api, control, sandbox }: Bakery, files: Readonly<Record<Drawing, Buffer>>): Promise<void> {
  const { accounts } = accountsSchema.parse(await api('/accounts'))
  const urls = new Map<Drawing, string>()
  for (const drawing of drawings) {
    const body = { fileName: `${drawing}.jpg`, contentType: 'image/jpeg', sizeBytes: files[drawing].length, keep: true }
    const { uploadUrl, mediaUrl } = uploadSchema.parse(await api('/uploads', body))
    await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(files[drawing]) })
    urls.set(drawing, mediaUrl)
  }
  const post = ({ caption, drawing, on }: { caption: string; drawing: Drawing; on: readonly string[] }) => ({
    ...{ caption, mediaUrl: urls.get(drawing), mediaType: 'image' },
    selections: Object.fromEntries(on.map((network) => [network, accounts[network]?.map(({ id }) => id)])),
  })
  for (const one of PUBLISHED) await api('/posts', post(one))
  await api('/posts', post({ caption: TOO_LONG, drawing: 'wheat', on: ['linkedin', 'facebook', 'x'] }))
  const today = new Date().toISOString().slice(0, 10)
  for (const { at, ...one } of PLANNED) {
    const day = new Date(Date.parse(today) + at[0] * DAY_MS).toISOString().slice(0, 10)
    await api('/posts/scheduled', { ...post(one), scheduledFor: `${day}T${at[1]}:00Z` })
  }
  const live = await until('a post on Bluesky', SEEN_MS, async () => {
    const posts = livePosts.parse(await (await fetch(`${sandbox}/_control/posts?platform=bluesky`)).json())
    return posts.find(({ caption }) => caption.includes('rye'))
  })
  for (const comment of COMMENTS) {
    await control('comments', { platform: 'bluesky', accountId: live.accountId, postId: live.id, ...comment })
  }
  await api('/comments/check-now', { accountId: accounts['bluesky']?.[0]?.id })
  const listed = (state: string, count: number) =>
    until(`comments that are ${state}`, SEEN_MS, async () => {
      const { comments } = commentsSchema.parse(await api(`/comments?state=${state}&limit=100`))
      return comments.length >= count ? comments : undefined
    })
  await listed('to_reply', COMMENTS.length)
  await until('the posts to be settled', SEEN_MS, async () => {
    const { posts } = z.object({ posts: z.array(z.object({ status: z.string() })) }).parse(await api('/posts'))
    return posts.every(({ status }) => !['queued', 'publishing'].includes(status)) || undefined
  })
}

/** Waits for the pictures, but not for those that come only when somebody scrolls to them. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(
    'Promise.all([...document.images].filter((image) => image.complete).map((image) => image.decode()))',
  )
}

/** As WebP, which is half as large as PNG at the same look. */
async function save(page: Page, name: string): Promise<void> {
  await settled(page)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 })
  await writeFile(join(IMAGES, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** What the composer's journey and its moving picture have in common. */
const account = (page: Page, network: string) =>
  page.locator('.picker .checkbox', { hasText: new RegExp(`^${network} `) })
const jpeg = (name: string, buffer: Buffer) => ({ name: `${name}.jpg`, mimeType: 'image/jpeg', buffer })

const POINTER = [
  'position:fixed;z-index:9999;pointer-events:none;width:18px;height:26px;background:#111;border:0',
  'clip-path:polygon(0 0,100% 62%,56% 66%,78% 100%,58% 100%,38% 70%,0 92%);filter:drop-shadow(0 0 2px #fff)',
].join(';')

/** A visitor whose pointer is seen, frame by frame. */
async function filmed(page: Page, folder: string) {
  await mkdir(folder, { recursive: true })
  const frames: string[] = []
  let [x, y] = [640, 420]
  const take = async (ms: number) => {
    const file = `${frames.length}.png`.padStart(9, '0')
    await page.evaluate(`(() => {
      const pointer = document.getElementById('pointer') ?? document.createElement('div')
      pointer.id = 'pointer'
      pointer.style.cssText = 'left:${x}px;top:${y}px;${POINTER}'
      document.body.append(pointer)
    })()`)
    await page.screenshot({ path: join(folder, file) })
    frames.push(`file '${file}'\nduration ${ms / 1000}`)
  }
  const point = async (to: Locator) => {
    await to.scrollIntoViewIfNeeded()
    const box = await to.boundingBox()
    if (!box) throw new Error('It is not shown.')
    const [fromX, fromY, steps] = [x, y, 5]
    const [toX, toY] = [box.x + Math.min(box.width / 2, 80), box.y + box.height / 2]
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2
      ;[x, y] = [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part]
      await take(50)
    }
    await page.mouse.move(x, y)
    await take(200)
  }
  const type = async (into: Locator, text: string) => {
    await point(into)
    await into.click()
    for (let end = 4; end < text.length + 4; end += 4) {
      await into.fill(text.slice(0, end))
      await take(70)
    }
  }
  return { frames, take, point, type }
}

async function film(page: Page, url: string, files: Readonly<Record<Drawing, Buffer>>): Promise<void> {
  const folder = join(t.testdir({}), 'frames')
  await open(page, url)
  await settled(page)
  const { frames, take, point, type } = await filmed(page, folder)
  await take(900)
  const compose = page.getByRole('link', { name: 'Compose', exact: true }).first()
  await point(compose)
  await compose.click()
  await button(page, 'Choose files').waitFor()
  await take(400)
  await point(button(page, 'Choose files'))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose files').click()])
  await chooser.setFiles(jpeg('croissant', files.croissant))
  await button(page, 'Remove').waitFor()
  await settled(page)
  await take(600)
  await type(page.getByLabel('Caption', { exact: true }), 'Croissants, folded by hand. The door opens at seven.')
  for (const network of ['Instagram', 'X', 'Bluesky']) {
    await point(account(page, network))
    await account(page, network).click()
    await page.locator('.preview', { hasText: network }).getByText('ready').waitFor()
    await settled(page)
    await take(700)
  }
  await point(button(page, 'Publish'))
  await button(page, 'Publish').click()
  await page.waitForURL('**/posts/post_*')
  await page.locator('main h1').waitFor()
  await take(500)
  await seen(page, 'Finished: published on all 3 accounts')
  await settled(page)
  await take(3500)
  await writeFile(join(folder, 'frames.txt'), `${frames.join('\n')}\n`)
  const from = ['-f', 'concat', '-i', join(folder, 'frames.txt'), '-fps_mode', 'vfr']
  const to = ['-c:v', 'libwebp_anim', '-quality', '70', '-loop', '0', join(IMAGES, 'first-post.webp')]
  await promisify(execFile)('ffmpeg', ['-y', '-v', 'error', ...from, ...to])
}

t.setTimeout(0)
const bakery = await givenBakery()
const { browser, url, password, api } = bakery
const files = await drawn(browser)
await mkdir(IMAGES, { recursive: true })

const desk = await browser.newContext({ ...LOOK, viewport: DESK, deviceScaleFactor: 2 })
const page = await desk.newPage()
page.setDefaultTimeout(SEEN_MS)
await signInTo(page, url, 'ada', password)
await page.locator('nav').waitFor()
const storageState = await desk.storageState()

const cinema = await browser.newContext({ ...LOOK, viewport: { width: 1200, height: 860 }, storageState })
await film(await cinema.newPage(), url, files)
await cinema.close()

await fill(bakery, files)
const slots = ['monday', 'wednesday', 'friday'].map((day) => ({ day, time: '18:00' }))
await api('/slots', { timezone: 'UTC', default: slots, platforms: {} }, 'PUT')
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme })
  await open(page, `${url}/calendar`)
  await save(page, `calendar-${colorScheme}`)
}
await page.emulateMedia({ colorScheme: 'light' })
await open(page, url)
await button(page, 'Hide').click()
await save(page, 'home')
await open(page, `${url}/inbox`)
await page.getByText('Do you also bake it without yeast?').first().click()
await save(page, 'inbox')
await open(page, `${url}/compose`)
const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose files').click()])
await chooser.setFiles([jpeg('croissant', files.croissant), jpeg('coffee', files.coffee)])
await page.getByLabel('Caption', { exact: true }).fill('Croissants, folded by hand. The door opens at seven. #bakery')
for (const network of ['Instagram', 'X', 'Facebook', 'LinkedIn', 'Bluesky']) await account(page, network).click()
await page.getByRole('button', { name: /^X \d+\/280/ }).click()
await page.getByLabel('Caption on X').fill('Croissants at seven.')
await button(page, /^X 20\/280/).waitFor()
await page.locator('main h1').scrollIntoViewIfNeeded()
await save(page, 'compose')

const pocket = await browser.newContext({
  ...LOOK,
  viewport: PHONE,
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  storageState,
  colorScheme: 'dark',
})
const phone = await pocket.newPage()
await open(phone, url)
await button(phone, 'Hide').click()
await save(phone, 'phone')
await desk.close()
await pocket.close()
// While the service runs, the process would not end.
t.end()
