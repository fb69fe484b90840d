import { retryingText } from '../../infra/ai/retrying-text.ts'
import { sandboxText } from '../../infra/ai/sandbox-text.ts'
import { sdkText } from '../../infra/ai/sdk-text.ts'
import { loadSdk } from '../../infra/ai/sdk.ts'
import type { TextModel } from '../../infra/ai/text.ts'
import type { Core } from './core.ts'
import { retryAfterMs } from '../../platforms/kit/retry-after.ts'
import { providerHttp } from './provider-http.ts'

/** Before the second and third attempts at a text (ms). */
const PAUSES_MS = [1_000, 5_000]

/** The configured AI. */
export function textModelOf(
  core: Pick<Core, 'settings' | 'http' | 'clock' | 'ids' | 'telemetry'>,
): TextModel | undefined {
  const { settings, clock, ids, telemetry } = core
  const { ai } = settings
  if (ai.provider === 'none') return undefined
  if (ai.provider === 'sandbox') {
    return sandboxText({ http: telemetry.http(core.http, 'ai'), url: `http://127.0.0.1:${settings.SANDBOX_PORT}` })
  }
  const io = { http: telemetry.http(providerHttp(ai, clock), 'ai'), clock, nonce: ids.token, retryAfterMs }
  const model = sdkText(ai, loadSdk(ai.provider), io)
  return retryingText(model, { clock, pausesMs: PAUSES_MS, withinMs: ai.timeoutMs })
}
