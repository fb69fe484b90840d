import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { startProcess, until, type Home } from './service-process.ts'

/** How long (ms) anything may take to be seen. */
export const SEEN_MS = 45_000
/** What a distribution calls it, or who runs the tests. */
const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome']

export function findChromium(): string | undefined {
  return CHROMIUM.find((path) => path !== undefined && existsSync(path))
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath, args })
}

/** The built service and a browser, until the test ends. */
export async function givenServiceAndBrowser(t: Test, executablePath: string, home: Home) {
  const service = startProcess(home)
  const browser = await launchChromium(executablePath)
  t.teardown(async () => {
    await browser.close()
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.ready
  await until(
    'the way in to be printed',
    SEEN_MS,
    async () => service.output().includes('Check the result') || undefined,
  )
  return { service, browser }
}

/** The user and the key that the service has printed, and what a program can ask it and its sandbox. */
export function printedBy(service: { output(): string }, { port, sandboxPort }: Home) {
  const [, user = '', password = ''] = /Sign in +(\S+), (\S+)/.exec(service.output()) ?? []
  const [key] = /fnf_\S+/.exec(service.output()) ?? []
  const [url, sandbox] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${sandboxPort}`]
  const ask = async (at: string, body: object | undefined, headers: Record<string, string> = {}): Promise<unknown> => {
    const post = body && { method: 'POST', body: JSON.stringify(body) }
    return (await fetch(at, { headers: { 'content-type': 'application/json', ...headers }, ...post })).json()
  }
  return {
    ...{ url, sandbox, user, password },
    control: (path: string, body: object) => ask(`${sandbox}/_control/${path}`, body),
    api: (path: string, body?: object) => ask(`${url}/v1${path}`, body, { authorization: `Bearer ${key}` }),
  }
}

export const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' })
export const seen = (place: Page | Locator, text: string | RegExp) => place.getByText(text).first().waitFor()

/** What the browser complains about: errors of the page, and what its content security policy has kept out. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return complaints
}

export async function signInTo(page: Page, url: string, name: string, password: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The pages that the navigation leads to, and the sections of the settings, of which it opens one. */
export async function pathsOf(page: Page): Promise<readonly string[]> {
  await open(page, new URL('/settings', page.url()).href)
  const links = await page.locator('nav a').all()
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
}

/** Goes to another page as a click on a link does, and waits until it has read what it shows. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('main h1').waitFor()
  await page.waitForSelector('.loading', { state: 'detached' })
}

let source: Promise<string> | undefined

/** What axe holds for a fault of accessibility on what is shown, with the elements. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await source)
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

/** By how much (px) the page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
}
