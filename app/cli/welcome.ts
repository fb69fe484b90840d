import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { platforms } from '../../platforms/registry.ts'
import { DEMO_USER, type Demo } from './demo.ts'

/** The output of a start: where everything is, and one command that publishes a first post. */
export function welcome(options: {
  readonly url: string
  readonly sandboxUrl: string | undefined
  readonly demo: Demo | undefined
}): string {
  const { url, sandboxUrl, demo } = options
  const lines = [
    '',
    'Fanfare is running. Press Ctrl-C to stop it; pending work is kept.',
    '',
    `  API       ${url}/v1`,
    `  Dashboard ${url}/`,
  ]
  if (sandboxUrl) lines.push(`  Sandbox   ${sandboxUrl}   (stands in for the platforms)`)
  if (!sandboxUrl || !demo) return [...lines, ''].join('\n')

  const key = demo.key ?? '$FANFARE_KEY'
  lines.push(
    demo.key
      ? `  Demo key  ${demo.key}   (shown only once)`
      : '  Demo key  was shown at the first start; for another: npx fanfare keys create --workspace demo --scopes all',
  )
  lines.push(
    demo.password
      ? `  Sign in   ${DEMO_USER}, ${demo.password}   (shown only once)`
      : `  Sign in   as shown at the first start; reset the password: npx fanfare users reset-password ${DEMO_USER}`,
  )
  const takers = PLATFORM_KEYS.filter((key) => demo.accounts[key] !== undefined && platforms[key].takes.image)
  const selections = Object.fromEntries(takers.map((key) => [key, [demo.accounts[key]]]))
  const body = {
    mediaUrl: `${sandboxUrl}/media/sample.jpg`,
    mediaType: 'image',
    caption: 'Hello from Fanfare',
    hashtags: ['fanfare'],
    selections,
  }
  return [
    ...lines,
    '',
    'Publish your first post:',
    '',
    `  curl -s ${url}/v1/posts -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(body)}'`,
    '',
    'Check the result (and the post on the sandbox):',
    '',
    `  curl -s ${url}/v1/posts -H "Authorization: Bearer ${key}"`,
    `  curl -s '${sandboxUrl}/_control/posts?platform=bluesky'`,
    '',
  ].join('\n')
}
