import { randomBytes } from 'node:crypto'
import { INSTALLATION } from '../../infra/postgres/derivation-secret.ts'
import { holdsOf } from '../../infra/postgres/holds.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { StoredEvent, StoredLog } from '../codec.ts'
import { START } from '../event-log.ts'
import type { Disclosed, EventKeys } from '../sealing.ts'
import { disclosed } from './disclosed.ts'
import { leafOf, type Leaf } from './leaf.ts'
import { hashTree, type HashTree, type Path } from './merkle.ts'
import { openHead, signHead, signingKey, type Head, type SigningKey } from './note.ts'
import { createTreeStore, extended, type SignedHead, type Tree } from './tree-store.ts'

export interface LogTreeDeps {
  readonly db: Database
  readonly vault: Vault
  readonly stored: StoredLog
  readonly keys: EventKeys
  readonly now: () => number
}

/** What verifying the log against its heads found. */
export interface Verified {
  readonly heads: number
  readonly faults: readonly string[]
}

export interface ProvenLeaf extends Leaf {
  /** From 0, in log order. */
  readonly index: number
  /** Its inclusion path in the tree of the head. */
  readonly path: Path
  /** Its personal fields, unless there are none or they were erased. */
  readonly personal?: Disclosed
}

/** Events of the log, and what shows that a head covers them. */
export interface Proven {
  readonly publicKey: string
  readonly head: string
  readonly leaves: readonly ProvenLeaf[]
  /** An earlier head, and what shows that the tree of `head` begins with its tree. */
  readonly since?: { readonly head: string; readonly path: Path }
}

/** The log is not the one that was signed. The message says how. */
export class HistoryChanged extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'HistoryChanged'
  }
}

/** Events per read: each batch is hashed at once, within some milliseconds. */
const BATCH = 250
/** Events after which a computed tree is stored. */
const SAVE_EVERY = 10_000

/** The hash tree over the whole log, in log order, and its signed heads (decision 48). */
export function createLogTree({ db, vault, stored, keys, now }: LogTreeDeps) {
  const store = createTreeStore(db)

  /** Each tree has its own. @throws Error if no key of the ring decrypts it */
  const keyOf = async ({ id }: Pick<Tree, 'id'>): Promise<{ readonly key: SigningKey; readonly salts: Buffer }> => {
    const name = `tree_${id}`
    const random = () => randomBytes(32).toString('base64')
    const found = await vault.find(name)
    const { seed = '', salts = '' } =
      found ?? (await vault.add(INSTALLATION, name, { seed: random(), salts: random() }))
    const { rows } = await db.query<{ id: string }>('select id from service.installation')
    const key = signingKey(`fanfare/${rows[0]?.id}/${id}`, Buffer.from(seed, 'base64'))
    return { key, salts: Buffer.from(salts, 'base64') }
  }

  /** The events after one position up to another. */
  async function* pages(after: bigint, until: bigint, signal?: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    if (until <= after) return
    for await (const delivery of stored.subscribe(after, { batchSize: BATCH, ...(signal && { signal }) })) {
      if (delivery.kind === 'caught-up') return
      yield delivery.events.filter(({ position }) => position <= until)
      if ((delivery.events.at(-1)?.position ?? START) >= until) return
    }
  }

  /** @throws HistoryChanged if the last event of the tree is not where it was */
  const checkEnd = async ({ size, position, last }: Tree, salts: Buffer) => {
    if (!last) return
    const [event] = await stored.read(last.stream, last.revision)
    if (!event) throw new HistoryChanged(`The log ends before event ${size} (${last.stream} at ${last.revision}).`)
    const isSame = event.position === position && leafOf(event, salts).hash.equals(last.leaf)
    if (!isSame) throw new HistoryChanged(`Event ${size} (${last.stream} at ${last.revision}) is not the one signed.`)
  }

  /** Computes the tree up to a position, and stores it from time to time. */
  const grow = async (until: bigint, signal?: AbortSignal): Promise<Tree> => {
    for (;;) {
      let saved = await store.current()
      if (saved.fault !== undefined) throw new HistoryChanged(saved.fault)
      const { salts } = await keyOf(saved)
      await checkEnd(saved, salts)
      const tree = hashTree(saved)
      let next = saved
      let isAlone = true
      const save = async () => {
        if (next.size > saved.size) isAlone = await store.extend(saved, next)
        saved = next
      }
      for await (const events of pages(saved.position, until, signal)) {
        let leaf: Leaf | undefined
        for (const event of events) tree.add((leaf = leafOf(event, salts)).hash)
        const event = events.at(-1)
        if (event && leaf) next = extended(next, { size: tree.size(), frontier: tree.frontier() }, event, leaf.hash)
        if (next.size - saved.size >= SAVE_EVERY) await save()
        if (!isAlone) break
      }
      if (isAlone) await save()
      // Otherwise another process is doing the same: go on from where it is.
      if (isAlone) return saved
    }
  }

  /**
   * Reads the log from its start, and compares the tree with each of these heads on the way.
   *
   * @param to.hashed also compares what was computed without a head
   * @param each called after each event was added
   */
  const retrace = async (
    to: { readonly heads: readonly SignedHead[]; readonly hashed?: Tree },
    { key, salts }: Awaited<ReturnType<typeof keyOf>>,
    each: (tree: HashTree, event: StoredEvent, leaf: Leaf) => void = () => undefined,
  ) => {
    const { heads, hashed } = to
    const faults: string[] = []
    const left = new Map(heads.map((head) => [head.size, head]))
    const end = Math.max(heads.at(-1)?.size ?? 0, hashed?.size ?? 0)
    const tree = hashTree({ size: 0, frontier: [] })
    const compare = () => {
      const head = left.get(tree.size())
      left.delete(tree.size())
      if (head) faults.push(...faultOf(head, key.publicKey, tree.root()))
      const isOther =
        hashed?.size === tree.size() && !Buffer.concat(hashed.frontier).equals(Buffer.concat(tree.frontier()))
      if (isOther && faults.length === 0) faults.push(`The first ${tree.size()} events are not those that were hashed.`)
    }
    pages: for await (const events of pages(START, await stored.head())) {
      for (const event of events) {
        if (tree.size() === end) break pages
        const leaf = leafOf(event, salts)
        tree.add(leaf.hash)
        each(tree, event, leaf)
        if (left.has(tree.size()) || hashed?.size === tree.size()) compare()
      }
    }
    for (const { size } of left.values()) faults.push(`The log has ${tree.size()} events, and a head covers ${size}.`)
    if (left.size === 0 && tree.size() < end) faults.push(`The log has ${tree.size()} events, and ${end} were hashed.`)
    return { tree, faults }
  }

  return {
    /** The newest head, and how the log differs from what was signed, as far as that shows without reading all of it. */
    examine: async (): Promise<{ readonly head: SignedHead | undefined; readonly fault: string | undefined }> => {
      const tree = await store.current()
      const head = await store.newestHead(tree)
      if (tree.fault !== undefined || !tree.last) return { head, fault: tree.fault }
      const { key, salts } = await keyOf(tree)
      try {
        await checkEnd(tree, salts)
      } catch (error) {
        if (error instanceof HistoryChanged) return { head, fault: error.message }
        throw error
      }
      const [fault] = head?.size === tree.size ? faultOf(head, key.publicKey, hashTree(tree).root()) : []
      return { head, fault }
    },

    /**
     * Extends the tree to the end of the log, and signs a head if it has grown.
     *
     * @returns the newest head; undefined for an empty log
     * @throws HistoryChanged
     */
    sign: async (signal?: AbortSignal): Promise<SignedHead | undefined> => {
      // A restored or half-imported log is not history yet, and a copy of the installation must not sign with its key.
      const isHeld = (await holdsOf(db)).length > 0
      if (isHeld) return store.newestHead(await store.current())
      const tree = await grow(await stored.head(), signal)
      const newest = await store.newestHead(tree)
      if (signal?.aborted || tree.size === (newest?.size ?? 0)) return newest
      const { key } = await keyOf(tree)
      const head: Head = { size: tree.size, root: hashTree(tree).root(), at: isoTime(now()) }
      const note = await store.addHead(tree, { size: tree.size, note: signHead(head, key) })
      // Another process may have signed the same.
      const [fault] = faultOf({ size: tree.size, note }, key.publicKey, head.root)
      if (fault !== undefined) throw new HistoryChanged(fault)
      return { size: tree.size, note }
    },

    /** Reads the log up to what was signed, and verifies all heads. What it finds stops `sign`, or lets it go on. */
    verify: async (): Promise<Verified> => {
      const tree = await store.current()
      const heads = await store.heads(tree)
      const { faults } = await retrace({ heads, hashed: tree }, await keyOf(tree))
      await store.setFault(tree, faults[0])
      return { heads: heads.length, faults }
    },

    /**
     * Proves events by the newest head. Reads the log up to it.
     *
     * @param since the size of an earlier head
     * @returns undefined if there is no head, or none of size `since`
     * @throws HistoryChanged
     */
    prove: async (wanted: (event: StoredEvent) => boolean, since?: number): Promise<Proven | undefined> => {
      const tree = await store.current()
      const heads = await store.heads(tree)
      const newest = heads.at(-1)
      const older = heads.find(({ size }) => size === since)
      if (!newest || (since !== undefined && !older)) return undefined
      const signed = await keyOf(tree)
      const found: { readonly stored: StoredEvent; readonly leaf: ProvenLeaf }[] = []
      let path: Path = []
      const { tree: whole, faults } = await retrace({ heads }, signed, (at, event, leaf) => {
        const index = at.size() - 1
        if (wanted(event)) found.push({ stored: event, leaf: { ...leaf, index, path: at.followLeaf() } })
        if (at.size() === since) path = at.followTree()
      })
      if (faults[0] !== undefined) {
        await store.setFault(tree, faults[0])
        throw new HistoryChanged(faults[0])
      }
      whole.finish()
      const personal = await disclosed(
        keys,
        found.map(({ stored }) => stored),
      )
      const leaves = found.map(({ stored, leaf }): ProvenLeaf => {
        const fields = personal.get(stored)
        return fields ? { ...leaf, personal: fields } : leaf
      })
      const consistent = older && { since: { head: older.note, path } }
      return { publicKey: signed.key.publicKey, head: newest.note, leaves, ...consistent }
    },

    /** The public key, and the newest head. */
    newest: async (): Promise<{ readonly publicKey: string; readonly head: SignedHead | undefined }> => {
      const tree = await store.current()
      return { publicKey: (await keyOf(tree)).key.publicKey, head: await store.newestHead(tree) }
    },

    /** The public key, and all heads, oldest first. */
    heads: async (): Promise<{ readonly publicKey: string; readonly heads: readonly SignedHead[] }> => {
      const tree = await store.current()
      return { publicKey: (await keyOf(tree)).key.publicKey, heads: await store.heads(tree) }
    },
  }
}

export type LogTree = ReturnType<typeof createLogTree>

function faultOf({ size, note }: SignedHead, publicKey: string, root: Buffer): readonly string[] {
  try {
    const head = openHead(note, publicKey)
    if (head.size === size && head.root.equals(root)) return []
    return [`The first ${size} events are not those of the head that was signed at ${head.at}.`]
  } catch (error) {
    return [`The head of ${size} events cannot be used: ${error instanceof Error ? error.message : ''}.`]
  }
}
