import { createHash } from 'node:crypto'

/*
 * The hash tree of RFC 9162 §2.1, with SHA-256: https://www.rfc-editor.org/rfc/rfc9162#section-2.1. Sizes and indexes are
 * numbers of leaves.
 */

export const HASH_BYTES = 32

const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

export function leafHash(leaf: string | Uint8Array): Buffer {
  return createHash('sha256').update(LEAF).update(leaf).digest()
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest()
}

/** The hashes that lead from a node to the root, from the bottom up. */
export type Path = Buffer[]

/** A complete subtree, and the paths of those of its nodes that are followed. */
interface Subtree {
  readonly hash: Buffer
  readonly paths: readonly Path[]
}

/** A tree that grows. It keeps the hashes of the complete subtrees at its right edge, and nothing else. */
export interface HashTree {
  size(): number
  /** Appends a leaf. */
  add(hash: Buffer): void
  root(): Buffer
  /** The hashes of the complete subtrees, largest first. With the size, this is the whole state. */
  frontier(): readonly Buffer[]
  /** The inclusion path of the leaf added last (RFC 9162 §2.1.3). It is whole after `finish`. */
  followLeaf(): Path
  /** The consistency path from the tree as it is now (RFC 9162 §2.1.4). It is whole after `finish`. */
  followTree(): Path
  /** Completes the paths. Nothing can be added afterwards. @returns the root */
  finish(): Buffer
}

/** @param from a tree to go on from */
export function hashTree(from: { readonly size: number; readonly frontier: readonly Buffer[] }): HashTree {
  let size = from.size
  let edge: Subtree[] = from.frontier.map((hash) => ({ hash, paths: [] }))
  /** A leaf is followed before the subtree that it completes is formed. */
  let pending = 0

  const join = () => {
    const [left, right] = edge.splice(-2)
    if (left && right) edge.push(joined(left, right))
  }
  const settle = () => {
    for (; pending > 0; pending -= 1) join()
  }
  const follow = (path: Path) => {
    const last = edge.pop()
    if (last) edge.push({ ...last, paths: [...last.paths, path] })
    return path
  }

  return {
    size: () => size,
    add: (hash) => {
      settle()
      edge.push({ hash, paths: [] })
      size += 1
      for (let n = size; n % 2 === 0; n /= 2) pending += 1
    },
    root: () => {
      settle()
      return rootOf(edge.map(({ hash }) => hash))
    },
    frontier: () => {
      settle()
      return edge.map(({ hash }) => hash)
    },
    followLeaf: () => follow([]),
    followTree: () => {
      settle()
      const last = edge.at(-1)
      // The root of a complete tree is known to everyone who has its head.
      return follow(edge.length === 1 || !last ? [] : [last.hash])
    },
    finish: () => {
      settle()
      while (edge.length > 1) join()
      const [top] = edge
      edge = []
      return top?.hash ?? rootOf([])
    },
  }
}

function joined(left: Subtree, right: Subtree): Subtree {
  for (const path of left.paths) path.push(right.hash)
  for (const path of right.paths) path.push(left.hash)
  return { hash: nodeHash(left.hash, right.hash), paths: [...left.paths, ...right.paths] }
}

function rootOf(frontier: readonly Buffer[]): Buffer {
  const root = frontier.reduceRight<Buffer | undefined>(
    (right, left) => (right ? nodeHash(left, right) : left),
    undefined,
  )
  return root ?? createHash('sha256').digest()
}

/** The root that an inclusion path leads to (RFC 9162 §2.1.3.2); undefined when the path has another length. */
export function rootOfInclusion(
  index: number,
  size: number,
  leaf: Buffer,
  path: readonly Buffer[],
): Buffer | undefined {
  let [at, last, root] = [index, size - 1, leaf]
  if (at > last) return undefined
  for (const sibling of path) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      root = nodeHash(sibling, root)
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else root = nodeHash(root, sibling)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? root : undefined
}

interface Sized {
  readonly size: number
  readonly root: Buffer
}

/** Whether a consistency path shows that one tree begins with the other (RFC 9162 §2.1.4.2). */
export function isConsistent(older: Sized, newer: Sized, path: readonly Buffer[]): boolean {
  if (older.size === newer.size) return path.length === 0 && older.root.equals(newer.root)
  if (older.size === 0 || older.size > newer.size) return false
  let [at, last] = [older.size - 1, newer.size - 1]
  while (at % 2 === 1) [at, last] = [(at - 1) / 2, Math.floor(last / 2)]
  const [seed, ...rest] = at === 0 ? [older.root, ...path] : path
  if (!seed) return false
  let [before, after] = [seed, seed]
  for (const sibling of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      ;[before, after] = [nodeHash(sibling, before), nodeHash(sibling, after)]
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else after = nodeHash(after, sibling)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && before.equals(older.root) && after.equals(newer.root)
}
