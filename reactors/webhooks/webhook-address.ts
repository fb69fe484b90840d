import type { RefuseAddress } from '../../domain/webhook/webhook.ts'
import { HttpFailure } from '../../infra/http/http.ts'
import { checkOutbound, type OutboundGuard } from '../../infra/http/outbound-address.ts'

/** Checks a URL with the guard that every attempt has to pass (decisions, "Webhooks"), so that a bad one is reported at once. */
export function webhookAddressCheck(guard: OutboundGuard): RefuseAddress {
  return async (url) => {
    try {
      await checkOutbound(url, guard)
      return undefined
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      return `${error.message}. ${ADVICE[error.kind] ?? 'Check the address.'}`
    }
  }
}

const ADVICE: Partial<Readonly<Record<HttpFailure['kind'], string>>> = {
  blocked: 'Use an address on the public internet, or allow one of your own network with OUTBOUND_ALLOW.',
  unreachable: 'Check its spelling, and that the host name resolves in DNS.',
}
