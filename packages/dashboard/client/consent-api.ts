import { ask, type Budgets } from './session-api.ts'

/* What an app asks of somebody who is signed in. */

export interface AppRequest {
  readonly client: {
    /** What it calls itself. */
    readonly name: string
    /** To where the browser goes back: a host, or the scheme of a program. */
    readonly host: string
    /** Where it describes itself; null: nobody vouches for its name. */
    readonly site: string | null
  }
  readonly scopes: readonly string[]
  /** Where the user can allow it, with what they can allow there. */
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly scopes: readonly string[] }[]
}

export interface Allowed {
  readonly workspaceId: string
  readonly scopes: readonly string[]
  readonly budgets: Budgets
  readonly undoSeconds?: number
}

const path = (id: string) => `/consent/${encodeURIComponent(id)}`

export const consentApi = {
  request: (id: string) => ask<AppRequest>('GET', path(id)),
  /** Where the browser goes on. */
  allow: (id: string, allowed: Allowed) => ask<{ readonly to: string }>('POST', path(id), allowed),
  deny: (id: string) => ask<{ readonly to: string }>('DELETE', path(id)),
}
