import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AtpAgent } from '@atproto/api'
import { envToCfg, envToSecrets, PDS } from '@atproto/pds'
import { Database, PlcServer } from '@did-plc/server'
import { freePort } from './free-port.ts'

export interface PdsAccount {
  readonly did: string
  readonly handle: string
  readonly password: string
  readonly appPassword: string
  /** Logged in with the main password. */
  readonly agent: AtpAgent
}

export interface LocalPds {
  readonly url: string
  /** A name of up to 18 characters; the handle is `<name>.test`. */
  createAccount(name: string): Promise<PdsAccount>
  /** An access token as this server signs them for app passwords, with its expiry of choice (unix seconds). */
  accessToken(did: string, expiresAt: number): string
  close(): Promise<void>
}

export interface PdsOptions {
  readonly rateLimits?: boolean
  /** Bytes. Default 5 MiB. */
  readonly blobUploadLimit?: number
  /** Where `app.bsky.*` goes. Default: nowhere, and is answered with 502. */
  readonly appView?: { readonly url: string; readonly did: string }
}

/** The reference Bluesky server with an in-memory directory of identities, inside this process. */
export async function startPds(options: PdsOptions = {}): Promise<LocalPds> {
  const { appView = { url: 'http://localhost:1', did: 'did:example:appview' } } = options
  const plc = PlcServer.create({ db: Database.mock() })
  const plcPort = portOf(await plc.start())
  const directory = await mkdtemp(join(tmpdir(), 'fanfare-pds-'))
  const jwtSecret = randomBytes(16).toString('hex')
  // It must know its port before it listens.
  const port = await freePort()
  const environment: Parameters<typeof envToCfg>[0] & Parameters<typeof envToSecrets>[0] = {
    devMode: true,
    port,
    hostname: 'localhost',
    dataDirectory: directory,
    blobstoreDiskLocation: join(directory, 'blobs'),
    didPlcUrl: `http://localhost:${plcPort}`,
    adminPassword: randomBytes(16).toString('hex'),
    jwtSecret,
    plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
    serviceHandleDomains: ['.test'],
    inviteRequired: false,
    enableDidDocWithSession: true,
    disableSsrfProtection: true,
    bskyAppViewUrl: appView.url,
    bskyAppViewDid: appView.did,
    modServiceUrl: 'http://localhost:1',
    modServiceDid: 'did:example:moderation',
    rateLimitsEnabled: options.rateLimits ?? false,
    blobUploadLimit: options.blobUploadLimit ?? 5 * 1024 * 1024,
  }
  const pds = await PDS.create(envToCfg(environment), envToSecrets(environment))
  await pds.start()
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    createAccount: async (name) => {
      const agent = new AtpAgent({ service: url })
      const handle = `${name}.test`
      const password = randomBytes(12).toString('hex')
      await agent.createAccount({ handle, email: `${name}@example.test`, password })
      const { data } = await agent.com.atproto.server.createAppPassword({ name: 'fanfare' })
      return { did: agent.assertDid, handle, password, appPassword: data.password, agent }
    },
    accessToken: (did, expiresAt) => {
      const claims = {
        scope: 'com.atproto.appPass',
        sub: did,
        aud: pds.ctx.cfg.service.did,
        iat: expiresAt - 7200,
        exp: expiresAt,
      }
      return signedJwt({ typ: 'at+jwt', alg: 'HS256' }, claims, jwtSecret)
    },
    close: async () => {
      await pds.destroy()
      await plc.destroy()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}

function signedJwt(header: object, claims: object, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
