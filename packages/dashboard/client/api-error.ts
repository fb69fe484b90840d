import { t } from '@lingui/core/macro'
import { ApiError } from '../../client/api-error.ts'

export { ApiError, errorOf, type Detail } from '../../client/api-error.ts'

/** No response at all: the service is down, or the network is. */
export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', t`Fanfare does not respond. Is it running, and are you online?`)
}
