import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { Reference } from '../../platforms/bluesky/record.ts'
import type { Http } from '../../infra/http/http.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import type { AppView } from './bluesky-app-view.ts'
import { connected, referenceServer, sandboxServer, writePost, type BlueskyServer, type Connected } from './bluesky.ts'
import type { LocalPds } from './pds.ts'
import { postJson } from './sandbox.ts'

/** A server of accounts, and somebody who writes to them. */
export interface Audience {
  readonly server: BlueskyServer
  /** The fan's name, as it is shown. */
  readonly name: string
  /** @returns the comment's URI */
  answers(account: Connected, post: Reference, text: string): Promise<string>
  /** In a post of the fan's own. */
  mentions(account: Connected, text: string): Promise<string>
}

/** Whoever writes at the reference server. What it says goes to the app, which tells whom it is for. */
export interface Fan {
  readonly did: string
  /** @param to whom the app tells of it */
  writes(record: object, to: Pick<Connected, 'account'>, reason: string, reasonSubject?: string): Promise<Reference>
  deletes(uri: string): Promise<void>
}

export async function fanAt(http: Http, pds: LocalPds, appView: AppView, displayName: string): Promise<Fan> {
  const { did, handle, appPassword, agent } = await pds.createAccount(`f${randomBytes(6).toString('hex')}`)
  const account = { did, handle, appPassword, revokeAppPassword: async () => {} }
  const fan = await connected(http, account, pds.url)
  return {
    did,
    writes: async (record, to, reason, reasonSubject) => {
      const written = await writePost(http, fan, record)
      const author = { did, handle, displayName }
      const notice = { ...written, author, reason, ...(reasonSubject !== undefined && { reasonSubject }) }
      appView.tell(to.account.externalId, notice)
      return written
    },
    deletes: (uri) => agent.deletePost(uri),
  }
}

export function referenceAudience(pds: LocalPds, fan: Fan, name: string): Audience {
  return {
    server: referenceServer(pds),
    name,
    answers: async (account, post, text) => {
      const record = { text, reply: { root: post, parent: post } }
      return (await fan.writes(record, account, 'reply', post.uri)).uri
    },
    mentions: async (account, text) => (await fan.writes({ text }, account, 'mention')).uri,
  }
}

export function sandboxAudience(sandbox: Sandbox, http: Http, name: string): Audience {
  const writes = async (body: object): Promise<string> => {
    const response = await postJson(http, `${sandbox.url}/_control/comments`, {
      platform: 'bluesky',
      author: name,
      ...body,
    })
    return z.object({ id: z.string() }).parse(response.json()).id
  }
  return {
    server: sandboxServer(sandbox, http),
    name,
    answers: ({ account }, { uri: postId }, text) => writes({ accountId: account.externalId, postId, text }),
    mentions: ({ account }, text) => writes({ accountId: account.externalId, text }),
  }
}
