import { retryingText } from '../ai/retrying-text.ts'
import { sandboxText } from '../ai/sandbox-text.ts'
import { sdkText } from '../ai/sdk-text.ts'
import { loadSdk } from '../ai/sdk.ts'
import type { TextModel } from '../ai/text.ts'
import type { Core } from '../main.ts'
import { guardedHttp } from '../platforms/guarded-http.ts'
import type { Http } from '../platforms/http.ts'
import { portOf } from '../platforms/outbound-address.ts'
import { outboundPolicy } from '../platforms/outbound-guard.ts'
import { retryAfterMs } from '../platforms/retry-after.ts'
import type { AiServer } from '../system/ai-settings.ts'
import type { Clock } from '../system/clock.ts'

const USER_AGENT = 'Fanfare-AI (+https://github.com/fanfare/fanfare)'
/** Before the second and the third call for one text (ms). */
const PAUSES_MS = [1_000, 5_000]

/** The AI that the settings name. @throws SettingsError when its packages are not installed */
export function textModelOf(core: Pick<Core, 'settings' | 'http' | 'clock' | 'ids'>): TextModel | undefined {
  const { settings, http, clock, ids } = core
  const { ai } = settings
  if (ai.provider === 'none') return undefined
  if (ai.provider === 'sandbox') return sandboxText({ http, url: `http://127.0.0.1:${settings.SANDBOX_PORT}` })
  const io = { http: serverHttp(ai, clock), clock, nonce: ids.token, retryAfterMs }
  const model = sdkText(ai, loadSdk(ai.provider), io)
  return retryingText(model, { clock, pausesMs: PAUSES_MS, withinMs: ai.timeoutMs })
}

/** A client for the AI alone: its address is the operator's choice, and may be private, for nobody else's requests. */
function serverHttp({ baseUrl }: AiServer, clock: Clock): Http {
  const url = new URL(baseUrl)
  const policy = outboundPolicy('', [{ host: url.hostname, port: portOf(url) }])
  return guardedHttp({ policy, clock, userAgent: USER_AGENT })
}
