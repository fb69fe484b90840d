import type { Test } from 'tap'
import { genericPlatform } from '../../platforms/generic.ts'
import type { Http } from '../../platforms/http.ts'
import type { PlatformErrorKind, PlatformIo, PublishJob } from '../../platforms/platform.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import {
  accountOf,
  givenAccount,
  givenHttp,
  givenPlainSandbox,
  ioOf,
  postJson,
  type SandboxAccount,
} from './sandbox.ts'

export const instagram = genericPlatform('instagram', { firstComment: true })

export interface Scene {
  readonly sandbox: Sandbox
  readonly http: Http
  readonly account: SandboxAccount
  readonly io: PlatformIo
  readonly job: PublishJob
}

/** A sandbox with one Instagram account and a post that is to go out there. */
export async function givenJob(t: Test, over: Partial<PublishJob> = {}): Promise<Scene> {
  const sandbox = await givenPlainSandbox(t)
  const http = givenHttp(t)
  const account = await givenAccount(http, sandbox, 'instagram')
  const job: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('instagram', account),
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Hello there #fanfare',
    queuedAt: '2026-03-01T10:00:00.000Z',
    ...over,
  }
  return { sandbox, http, account, io: ioOf(http, account.credentials), job }
}

export function scriptFault({ http, sandbox }: Scene, fault: object) {
  return postJson(http, `${sandbox.url}/_control/faults`, { platform: 'instagram', call: 'publish', ...fault })
}

export const live = ({ sandbox, account }: Scene) =>
  sandbox.ledger.posts('instagram', { accountId: account.externalId })
export const failure = (kind: PlatformErrorKind) => ({ name: 'PlatformError', kind })
