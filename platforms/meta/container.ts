import * as z from 'zod'
import { PlatformError } from '../kit/platform.ts'
import { quoted, type RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'
import { plainId } from '../kit/plain-id.ts'

/** Meta may fetch the image during the call. */
const CREATE_TIMEOUT_MS = 60_000

/** State of a container, or why it is unknown. */
export type ContainerState =
  | { readonly is: 'in progress' }
  | { readonly is: 'finished' }
  | { readonly is: 'published' }
  | { readonly is: 'expired' }
  /** `again`: maximum number of further containers, after the first. */
  | { readonly is: 'failed'; readonly again: number; readonly why: string }
  /** No meaningful response. */
  | { readonly is: 'unknown'; readonly error: PlatformError }

const STATES: ReadonlyMap<string, ContainerState> = new Map([
  ['IN_PROGRESS', { is: 'in progress' }],
  ['FINISHED', { is: 'finished' }],
  ['PUBLISHED', { is: 'published' }],
  ['EXPIRED', { is: 'expired' }],
])
const created = z.object({ id: plainId })

/**
 * Has Meta fetch the media. A container is invisible, and an unused one expires.
 *
 * @param onceMore refusals worth one more try, as when a container fails for them
 * @returns the container's id
 * @throws PlatformError
 */
export async function newContainer<Refusal extends string>(
  { graph, is }: GraphApi<Refusal>,
  { path, form }: { readonly path: string; readonly form: Readonly<Record<string, string>> },
  onceMore: readonly Refusal[],
  session: Session,
  io: RestIo,
): Promise<string> {
  const call = { method: 'POST', path, form, timeoutMs: CREATE_TIMEOUT_MS } as const
  const create = async (): Promise<string> => (await graph(session, call, created, io)).id
  return create().catch((error: unknown) => {
    if (is(error, ...onceMore)) return create()
    throw error
  })
}

/** Maps Meta's status word to a state. */
export function stateCalled(word: string, { name }: { readonly name: string }): ContainerState {
  const error = () =>
    new PlatformError('retryable', `${name} reports an unknown status of the prepared media: ${quoted(word)}.`)
  return STATES.get(word) ?? { is: 'unknown', error: error() }
}

/** @throws the error when the account has to wait or to be connected again: another look would not help */
export function unknownState(error: unknown): ContainerState {
  if (error instanceof PlatformError && error.kind === 'retryable' && !error.accountRests)
    return { is: 'unknown', error }
  throw error
}
