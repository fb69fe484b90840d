import { randomUUID } from 'node:crypto'
import { appendFile, writeFile } from 'node:fs/promises'
import { account as accountKind } from '../../../domain/account/account.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { MEDIA_TYPES, PLATFORM_NAMES, type MediaType } from '../../../domain/core/platform.ts'
import { load, type CommandDeps } from '../../../commands/handle.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { packageVersion } from '../../../infra/runtime/package-root.ts'
import type { Platform } from '../../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../../../reactors/platform-calls/platform-access.ts'
import { converse, type Step } from './conversation.ts'
import { differences, type Difference } from './differences.ts'
import { asMarkdown, type CheckReport } from './report.ts'
import { converseInSandbox } from './sandbox-run.ts'

interface CheckDeps extends CommandDeps {
  readonly access: Pick<PlatformAccess, 'platform' | 'run'>
}

export interface CheckOptions {
  readonly media?: string | undefined
  readonly type?: string | undefined
  readonly dry?: boolean | undefined
  readonly out?: string | undefined
  /** Asks before anything is published. */
  readonly confirm: (question: string) => Promise<boolean>
  readonly tell: (line: string) => void
}

export interface CheckResult {
  readonly steps: readonly Pick<Step, 'name' | 'outcome' | 'details'>[]
  readonly differences: readonly Difference[]
  /** The file with the report. */
  readonly report: string
}

/**
 * Has a conversation with the platform of a connected account, and the same with its stand-in, and writes what differs.
 *
 * @throws Refusal not_found, and for options that do not fit
 */
export async function checkPlatform(core: CheckDeps, accountId: string, options: CheckOptions): Promise<CheckResult> {
  const { clock, access } = core
  const state = await load(core.log, accountKind, accountId)
  if (state.status !== 'connected') throw new Refusal('not_found', `${accountId} is not a connected account.`)
  const { platform: key, label, externalId, baseUrl } = state
  const platform = access.platform(key)
  const mediaType = mediaTypeOf(platform, options.type)
  const dry = options.dry ?? false
  if (!dry && options.media === undefined) {
    const what = { image: 'JPEG image', video: 'MP4 video', document: 'PDF' }[mediaType]
    throw new Refusal('invalid_request', `--media is required: the public URL of a ${what}. Or give --dry.`)
  }
  const file = options.out ?? `fanfare-check-${key}.md`
  await mustBeWritable(file)
  const question = `Publish one test post as "${label}" on ${PLATFORM_NAMES[key]}, and delete it again?`
  if (!dry && !(await options.confirm(question))) throw new Refusal('failed_precondition', 'Nothing was published.')

  const talk = { platform, mediaType, dry, key: randomUUID() }
  const account = { id: accountId, platform: key, externalId, ...(baseUrl !== undefined && { baseUrl }) }
  const steps = await converse({
    ...talk,
    ...{ account, mediaUrl: options.media ?? '' },
    run: (timeoutMs, work) => access.run(account, timeoutMs, new AbortController().signal, work),
    progress: (name) => options.tell(`… ${name}`),
  })
  options.tell('… comparing with the sandbox')
  const report: CheckReport = {
    ...{ platform: key, at: isoTime(clock.now()), fanfare: packageVersion(), node: process.version, mediaType, steps },
    differences: differences(steps, await converseInSandbox(talk)),
  }
  await writeFile(file, asMarkdown(report))
  const shown = steps.map(({ name, outcome, details }) => ({ name, outcome, details }))
  return { steps: shown, differences: report.differences, report: file }
}

/** Before anything is published, so that no report is lost. @throws Refusal */
async function mustBeWritable(file: string): Promise<void> {
  await appendFile(file, '').catch((error: Error) => {
    throw new Refusal('invalid_request', `--out: the report cannot be written: ${error.message}`)
  })
}

function mediaTypeOf({ key, takes }: Platform, asked: string | undefined): MediaType {
  const supported = MEDIA_TYPES.filter((type) => takes[type] !== undefined)
  const chosen = supported.find((type) => type === (asked ?? (takes.image ? 'image' : 'video')))
  if (chosen) return chosen
  throw new Refusal('invalid_request', `--type must be ${supported.join(' or ')} on ${key}`)
}
