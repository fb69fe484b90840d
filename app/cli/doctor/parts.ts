import { randomBytes } from 'node:crypto'
import type { Core } from '../../wiring/core.ts'
import { mediaName } from '../../../infra/media/media-name.ts'
import { RENDERER, renderTools, speakingProgram } from '../../../packages/sandbox/ai/tools.ts'
import { textModelOf } from '../../wiring/text-model.ts'
import { speechModelOf, videoModelOf } from '../../wiring/video-models.ts'
import { fault, ok, reasonOf, type Finding } from './finding.ts'

const PATIENCE_MS = 10_000

/** Everything besides the database: the media store, the providers of text, clips and speech, and the service's public URL. */
export async function examineParts(core: Core): Promise<readonly Finding[]> {
  return [await mediaStore(core), ...models(core), ...(await renderer(core)), publicUrl(core)]
}

async function mediaStore({ mediaStore: store, settings }: Core): Promise<Finding> {
  const where =
    settings.media.kind === 'files' ? 'the folder media in DATA_DIR' : `the bucket ${settings.media.bucketUrl}`
  // If a missing file can be looked up, an existing one can be read.
  const name = mediaName(randomBytes(32), ['doctor'], 'mp4')
  try {
    await store.find(name, AbortSignal.timeout(PATIENCE_MS))
    return ok('media', `${where} is available`)
  } catch (error) {
    return fault(
      'media',
      `${where}: ${reasonOf(error)}`,
      'Check MEDIA_S3_… (docs/settings.md), or the permissions of DATA_DIR.',
    )
  }
}

function models(core: Core): readonly Finding[] {
  const { ai, video, speech } = core.settings
  const kinds = [
    ['texts', ai.provider, textModelOf],
    ['clips', video.provider, videoModelOf],
    ['voices', speech.provider, speechModelOf],
  ] as const
  return kinds.map(([what, provider, open]) => {
    try {
      open(core)
      return ok('ai', provider === 'none' ? `${what}: no provider is configured` : `${what}: ${provider}`)
    } catch (error) {
      return fault('ai', `${provider} cannot provide ${what}: ${reasonOf(error)}`, 'Fix what the message says.')
    }
  })
}

async function renderer({ settings }: Core): Promise<readonly Finding[]> {
  if (settings.video.provider !== 'sandbox' && settings.speech.provider !== 'sandbox') return []
  try {
    await renderTools(RENDERER, AbortSignal.timeout(PATIENCE_MS))
    speakingProgram(RENDERER)
    return [ok('renderer', 'the sandbox can render and speak')]
  } catch (error) {
    const remedy = 'Only videos from the sandbox need it.'
    return [{ check: 'renderer', level: 'warning', finding: reasonOf(error), remedy }]
  }
}

/** Some platforms, and the browser of the account's owner, must reach the service at this address. */
function publicUrl({ reachedAt, settings }: Core): Finding {
  const { hostname, protocol } = new URL(reachedAt.url)
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (settings.SANDBOX === 'on' || (!isHere && protocol === 'https:'))
    return ok('address', `the service is at ${reachedAt.url}`)
  return {
    ...{
      check: 'address',
      level: 'warning',
      finding: `${reachedAt.url} cannot be reached from the internet over https`,
    },
    remedy: 'Set PUBLIC_URL: Instagram and others fetch media made by the service from there.',
  }
}
