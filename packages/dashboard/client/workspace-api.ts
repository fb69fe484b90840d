import { ask } from './session-api.ts'

/* The workspace itself: served under `/dashboard/api`, with the session only. */

export interface Workspace {
  readonly id: string
  readonly name: string
  /** Null until it or slots are set. */
  readonly timezone: string | null
  readonly createdAt: string
}

/** What the media of the workspace take up. */
export interface Storage {
  readonly files: number
  readonly bytes: number
  readonly maxBytes: number
}

export const workspaceApi = {
  workspace: () => ask<Workspace>('GET', '/workspace'),
  changeWorkspace: (change: Partial<Pick<Workspace, 'name' | 'timezone'>>) =>
    ask<Workspace>('PATCH', '/workspace', change),
  storage: () => ask<Storage>('GET', '/storage'),
}
