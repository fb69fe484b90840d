import * as z from 'zod'
import { hasCode } from '../kit/errors.ts'
import { PlatformError } from '../kit/platform.ts'
import { COLLECTION, type PostRecord, type Reference } from './record.ts'
import type { Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** A record of the account, at a key fixed in advance. */
export interface OwnRecord {
  /** Of the account. */
  readonly did: string
  readonly rkey: string
  readonly record: PostRecord
}

export interface Created {
  readonly uri: string
  /** The permalink. */
  readonly url: string
}

export function created({ did, rkey }: Pick<OwnRecord, 'did' | 'rkey'>): Created {
  return { uri: `at://${did}/${COLLECTION}/${rkey}`, url: `https://bsky.app/profile/${did}/post/${rkey}` }
}

/**
 * Creates the record, or confirms that an attempt whose answer was lost created it. Never changes an existing record.
 *
 * @throws PlatformError
 */
export async function createOnce(own: OwnRecord, session: Session, io: XrpcIo): Promise<Created> {
  const { did: repo, rkey, record } = own
  // `swapRecord: null` means create only: an equal record is left as is, a different one gives InvalidSwap.
  const json = { repo, collection: COLLECTION, rkey, record, swapRecord: null }
  const { host, accessJwt: token } = session
  const nsid = 'com.atproto.repo.putRecord'
  const call = { host, method: 'POST', nsid, token, body: { json }, effect: 'visible' } as const
  try {
    await xrpc(call, z.object({ uri: z.string() }), io)
  } catch (error) {
    if (!hasCode(error, 'InvalidSwap')) throw error
    if (!(await isCreated(own, host, io))) throw unreadable(error)
  }
  return created(own)
}

const recordAnswer = z.object({ value: z.object({ text: z.unknown(), createdAt: z.unknown() }) })

/**
 * Whether the record exists at its key.
 *
 * @throws PlatformError, `ambiguous` if that cannot be determined, `permanent` if the key holds another record
 */
export async function isCreated(own: OwnRecord, host: string, io: XrpcIo): Promise<boolean> {
  const there = await standing(own, host, io).catch((error: unknown) => {
    throw error instanceof PlatformError ? unreadable(error) : error
  })
  if (there === 'another') {
    throw new PlatformError('permanent', "Another post of the account already uses this post's key.")
  }
  return there === 'it'
}

/**
 * What the record's key holds. A record with the same text and time counts as ours, from an earlier attempt, even if it
 * differs otherwise: the media may have changed in between, or a mention may have been resolved.
 *
 * @throws PlatformError
 */
export async function standing(
  { did, rkey, record }: OwnRecord,
  host: string,
  io: XrpcIo,
): Promise<'it' | 'another' | 'nothing'> {
  const query = { repo: did, collection: COLLECTION, rkey }
  const call = { host, method: 'GET', nsid: 'com.atproto.repo.getRecord', query } as const
  try {
    const { value } = await xrpc(call, recordAnswer, io)
    return value.text === record['text'] && value.createdAt === record['createdAt'] ? 'it' : 'another'
  } catch (error) {
    if (hasCode(error, 'RecordNotFound')) return 'nothing'
    throw error
  }
}

const referenceAnswer = z.object({ uri: z.string(), cid: z.string() })

/** The present version of a post of the account. @throws PlatformError, `permanent` if it was deleted */
export async function referenceTo(uri: string, { host }: Session, io: XrpcIo): Promise<Reference> {
  const [repo = '', collection = '', rkey = ''] = uri.replace(/^at:\/\//, '').split('/')
  const call = { host, method: 'GET', nsid: 'com.atproto.repo.getRecord', query: { repo, collection, rkey } } as const
  try {
    return await xrpc(call, referenceAnswer, io)
  } catch (error) {
    if (!hasCode(error, 'RecordNotFound')) throw error
    throw new PlatformError('permanent', 'The post that it replies to was deleted.', { cause: error })
  }
}

function unreadable(cause: PlatformError): PlatformError {
  const message = `A post may already exist at this post's key, but it could not be read: ${cause.message}`
  return new PlatformError('ambiguous', message, { cause })
}
