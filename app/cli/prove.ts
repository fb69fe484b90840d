import { writeFile } from 'node:fs/promises'
import { Refusal } from '../../domain/core/errors.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { HistoryChanged, type LogTree, type Proven } from '../../event-log/tree/log-tree.ts'
import { openHead } from '../../event-log/tree/note.ts'
import { beginTree } from '../../event-log/tree/tree-store.ts'
import type { Core } from '../wiring/core.ts'
import { eventsOf } from './audit.ts'
import { isItemOf, relatedTo } from './related-streams.ts'

const FORMAT = 'fanfare-proof/1'

export interface ProofOptions {
  /** The file to write. Default: `<id>.proof.json`. */
  readonly out?: string
  /** The size of an earlier head, to show that nothing before it was changed. */
  readonly since?: string
}

interface WrittenProof {
  readonly file: string
  /** Events that the proof discloses. */
  readonly events: number
  /** Of these, how many had personal data that was erased. */
  readonly erased: number
  /** Events that the head covers. */
  readonly size: number
  /** ISO 8601 UTC. */
  readonly signedAt: string
  readonly key: string
  readonly next: string
}

/**
 * Writes the history of a resource as a file that can be verified offline (docs/proof.md), by a head that is signed now if there
 * are new events.
 *
 * @throws Refusal for an unknown id or head, or a log that is not the one that was signed
 */
export async function prove(
  core: Pick<Core, 'log' | 'tree'>,
  id: string,
  options: ProofOptions,
): Promise<WrittenProof> {
  const { out = `${id}.proof.json`, since } = options
  const own = await eventsOf(core, id)
  const older = since === undefined ? undefined : Number(since)
  if (older !== undefined && !Number.isSafeInteger(older))
    throw new Refusal('invalid_request', `--since must be a number`)
  const proven = await provenBy(await core.tree(), core, id, own, older)
  const { publicKey, head, leaves } = proven
  const covered = new Set(leaves.map(({ event: { stream, revision } }) => `${stream}@${revision}`))
  const missing = own.find(({ stream, revision }) => !covered.has(`${stream}@${revision}`))
  if (missing) {
    const why = `${missing.type} of ${missing.stream} is not covered by a signed head yet`
    throw new Refusal(
      'failed_precondition',
      `${why}: while the service is on hold, no head is signed. See fanfare doctor.`,
    )
  }
  await writeFile(out, `${JSON.stringify(proofOf(own, proven), undefined, 1)}\n`, { mode: 0o600 })
  const { size, at } = openHead(head, publicKey)
  const erased = leaves.filter(({ event, personal }) => !personal && 'sealed' in (event.metadata as object)).length
  const next = `Give away ${out} and verify-proof.mjs (docs/proof.md): node verify-proof.mjs ${out} ${id} --key ${publicKey}`
  return { file: out, events: leaves.length, erased, size, signedAt: at, key: publicKey, next }
}

async function provenBy(
  tree: LogTree,
  { log }: Pick<Core, 'log'>,
  id: string,
  own: readonly RecordedEvent[],
  since: number | undefined,
): Promise<Proven> {
  const { whole, single } = await relatedTo(log, id, own)
  const streams = new Set([...own.map(({ stream }) => stream), ...whole])
  try {
    await tree.sign()
    const proven = await tree.prove(
      ({ stream, revision, data }) =>
        streams.has(stream) || single.has(`${stream}@${revision}`) || isItemOf(id, { stream, data }),
      since,
    )
    if (proven) return proven
  } catch (error) {
    if (!(error instanceof HistoryChanged)) throw error
    const how = 'Run fanfare audit verify, and see "When the log was changed" in docs/proof.md.'
    throw new Refusal('failed_precondition', `The log is not the one that was signed. ${error.message} ${how}`)
  }
  const which = since === undefined ? 'No head has been signed yet' : `There is no head of ${since} events`
  throw new Refusal('not_found', `${which}: fanfare audit heads lists them.`)
}

/** The file (docs/proof.md). It contains no secrets: the salts of other events cannot be computed from these. */
function proofOf(own: readonly RecordedEvent[], { publicKey, head, leaves, since }: Proven): object {
  const inBase64 = (path: readonly Buffer[]) => path.map((hash) => hash.toString('base64'))
  return {
    format: FORMAT,
    key: publicKey,
    head,
    ...(since && { since: { head: since.head, path: inBase64(since.path) } }),
    streams: [...new Set(own.map(({ stream }) => stream))],
    events: leaves.map(({ index, event, salt, path, personal }) => ({
      ...{ index, event, salt, ...(personal && { personal }) },
      path: inBase64(path),
    })),
  }
}

/** The public key, and the heads: the newest, or all. */
export async function headsOf(
  core: Pick<Core, 'tree'>,
  all: boolean,
): Promise<{ readonly key: string; readonly heads: readonly string[] }> {
  const { publicKey, heads } = await (await core.tree()).heads()
  const shown = all ? heads : heads.slice(-1)
  return { key: publicKey, heads: shown.map(({ note }) => note) }
}

/** Begins another tree, for a log that was restored from an older backup. The earlier heads stay valid for what they covered. */
export async function restartTree({
  db,
  tree,
}: Pick<Core, 'db' | 'tree'>): Promise<{ readonly key: string; readonly next: string }> {
  await beginTree(db)
  const { publicKey } = await (await tree()).newest()
  const next = 'Tell everyone who holds an earlier head that the history begins again, and why, and give them this key.'
  return { key: publicKey, next }
}
