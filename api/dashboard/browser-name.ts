/* In this order: most browsers also name those that they descend from. */

const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** What a person calls the browser of a `User-Agent`, such as `Firefox on Linux`. Versions and models of devices are left out. */
export function browserName(userAgent: string): string | undefined {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0],
  )
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : (browser ?? system)
}
