import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium, launchChromium, open, pathsOf, signInTo } from './support/dashboard-page.ts'

/*
 * A picture of each page of the dashboard of a running service, wide and narrow, light and dark: `npm run screenshots`, with
 * FANFARE_USER and FANFARE_PASSWORD, and FANFARE_URL when it is not the usual one.
 */

const SIZES = [
  { name: 'wide', width: 1280, height: 800 },
  { name: 'narrow', width: 390, height: 844 },
] as const
const SCHEMES = ['light', 'dark'] as const

const {
  FANFARE_URL: url = 'http://127.0.0.1:3000',
  FANFARE_USER: user = 'admin',
  FANFARE_PASSWORD: password,
} = process.env
const executable = findChromium()
if (!executable) throw new Error('There is no Chromium. Install it, or name it in CHROMIUM.')
if (!password) throw new Error('FANFARE_PASSWORD is missing: the password to sign in with.')

const folder = join(import.meta.dirname, '../dist/screenshots')
await mkdir(folder, { recursive: true })
const browser = await launchChromium(executable)
try {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signInTo(page, url, user, password)
  await page.locator('nav').waitFor()
  const paths = await pathsOf(page)
  for (const { name, width, height } of SIZES) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      for (const path of paths) {
        await open(page, `${url}${path}`)
        await page.waitForLoadState('load')
        await page.screenshot({ path: join(folder, `${path.slice(1) || 'home'}-${name}-${colorScheme}.png`) })
      }
    }
  }
} finally {
  await browser.close()
}
