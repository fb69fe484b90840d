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
      return `the key ${name}`
    case 'agent':
      return `an agent with the key ${name}`
    case 'cli':
      return `${name} on the command line`
    case 'system':
      return `the service (${name})`
    case 'guest':
      return `the guest ${name}`
    case 'user':
    case 'rule':
      return name
  }
}
