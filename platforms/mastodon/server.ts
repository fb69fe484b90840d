import type { PlatformAccount } from '../kit/platform.ts'

/** Of accounts without a base URL. All others name their server there. */
export const HOST = 'https://mastodon.social'

export function hostOf(baseUrl: string | undefined): string {
  return baseUrl ?? HOST
}

/** Ids are unique on one server only. */
export function externalIdOf(id: string, host: string): string {
  return `${id}@${host}`
}

/** The id of an account on its server, and the host that people see. */
export function addressOf({ externalId }: Pick<PlatformAccount, 'externalId'>): {
  readonly id: string
  readonly host: string
} {
  const at = externalId.lastIndexOf('@')
  return { id: externalId.slice(0, at), host: externalId.slice(at + 1) }
}
