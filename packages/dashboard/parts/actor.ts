import { t } from '@lingui/core/macro'
import type { ActivityEntry } from '../client/types.ts'

/** Who acted, as it follows "by". */
export function nameOfActor({
  kind,
  name,
}: {
  readonly kind: ActivityEntry['by']['kind'] | 'system'
  readonly name: string
}): string {
  switch (kind) {
    case 'key':
      return t`the key ${name}`
    case 'agent':
      return t`an agent with the key ${name}`
    case 'cli':
      return t`${name} on the command line`
    case 'system':
      return t`the service (${name})`
    case 'guest':
      return t`the guest ${name}`
    case 'user':
    case 'rule':
      return name
  }
}
