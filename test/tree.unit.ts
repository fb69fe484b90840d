import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import t from 'tap'
import type { StoredEvent } from '../event-log/codec.ts'
import { leafOf } from '../event-log/tree/leaf.ts'
import {
  hashTree,
  isConsistent,
  leafHash,
  rootOfInclusion,
  type HashTree,
  type Path,
} from '../event-log/tree/merkle.ts'
import { openNote, signHead, openHead, signingKey, signNote } from '../event-log/tree/note.ts'
import * as vectors from './fixtures/merkle-vectors.ts'

/* The hash tree over the log (decision 48). */

const EMPTY = { size: 0, frontier: [] }
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

function grown(hashes: readonly Buffer[], each: (tree: HashTree) => void = () => undefined): HashTree {
  const tree = hashTree(EMPTY)
  for (const hash of hashes) {
    tree.add(hash)
    each(tree)
  }
  return tree
}

function inclusionPath(hashes: readonly Buffer[], index: number): Path {
  let path: Path = []
  grown(hashes, (tree) => {
    if (tree.size() === index + 1) path = tree.followLeaf()
  }).finish()
  return path
}

function consistencyPath(hashes: readonly Buffer[], older: number): Path {
  if (older === hashes.length) return []
  let path: Path = []
  grown(hashes, (tree) => {
    if (tree.size() === older) path = tree.followTree()
  }).finish()
  return path
}

/** RFC 9162 §2.1.1, word for word. */
function naiveRoot(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes
  if (!first) return createHash('sha256').digest()
  if (hashes.length === 1) return first
  let k = 1
  while (k * 2 < hashes.length) k *= 2
  const halves = [naiveRoot(hashes.slice(0, k)), naiveRoot(hashes.slice(k))]
  return createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), ...halves]))
    .digest()
}

t.test('given the published vectors of Certificate Transparency', async (t) => {
  const hashes = vectors.LEAVES.map((leaf) => leafHash(Buffer.from(leaf, 'hex')))

  await t.test('then the roots of all sizes are theirs', async (t) => {
    t.equal(hashTree(EMPTY).root().toString('hex'), vectors.ROOTS[0])
    vectors.ROOTS.forEach((root, size) => t.equal(grown(hashes.slice(0, size)).root().toString('hex'), root, `${size}`))
  })

  await t.test('then the inclusion paths are theirs', async (t) => {
    for (const { index, size, path } of vectors.INCLUSION) {
      t.same(hex(inclusionPath(hashes.slice(0, size), index)), path, `${index} in ${size}`)
    }
  })

  await t.test('then the consistency paths are theirs', async (t) => {
    for (const { older, newer, path } of vectors.CONSISTENCY) {
      t.same(hex(consistencyPath(hashes.slice(0, newer), older)), path, `${older} to ${newer}`)
    }
  })
})

t.test('given the published example of signed notes, then the signature is theirs', async (t) => {
  const { seed, publicKey, text, note } = vectors.NOTE
  const key = signingKey('PeterNeumann', Buffer.from(seed, 'base64').subarray(1))
  t.equal(key.publicKey, publicKey)
  t.equal(signNote(text, key), note)
  t.equal(openNote(note, publicKey), text)
})

const someHashes = fc
  .integer({ min: 1, max: 130 })
  .map((size) => Array.from({ length: size }, (_, index) => leafHash(String(index))))
const within = (size: number, fraction: number) => Math.min(size - 1, Math.floor(fraction * size))
const fraction = fc.double({ min: 0, max: 1, noNaN: true })

function flipped(hash: Buffer, bit: number): Buffer {
  const copy = Buffer.from(hash)
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return copy
}

t.test('given any tree, then its root is that of the RFC, however it was stored on the way', async () => {
  fc.assert(
    fc.property(someHashes, fraction, (hashes, at) => {
      const begun = within(hashes.length, at)
      const first = grown(hashes.slice(0, begun))
      const rest = hashTree({ size: first.size(), frontier: first.frontier() })
      for (const hash of hashes.slice(begun)) rest.add(hash)
      return rest.root().equals(naiveRoot(hashes)) && rest.finish().equals(naiveRoot(hashes))
    }),
  )
})

t.test('given any leaf of any tree, then its path leads to the root, and a changed one does not', async () => {
  const bit = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(someHashes, fraction, fraction, bit, (hashes, at, place, bit) => {
      const index = within(hashes.length, at)
      const size = hashes.length
      const root = naiveRoot(hashes)
      const leaf = hashes[index] ?? root
      const path = inclusionPath(hashes, index)
      const leadsTo = (...given: Parameters<typeof rootOfInclusion>) => rootOfInclusion(...given)?.equals(root) ?? false
      const changed = path.map((hash, n) => (n === within(path.length, place) ? flipped(hash, bit) : hash))
      return (
        leadsTo(index, size, leaf, path) &&
        !leadsTo(index, size, flipped(leaf, bit), path) &&
        (path.length === 0 || !leadsTo(index, size, leaf, changed)) &&
        !leadsTo(index, size, leaf, [...path, root]) &&
        (path.length === 0 || !leadsTo(index, size, leaf, path.slice(1))) &&
        (size === 1 || !leadsTo((index + 1) % size, size, leaf, path)) &&
        !leadsTo(size, size, leaf, path)
      )
    }),
  )
})

t.test('given any two sizes of a tree, then one begins with the other, and with no other', async () => {
  const bit = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(someHashes, fraction, fraction, bit, (hashes, at, place, bit) => {
      const size = 1 + within(hashes.length, at)
      const [older, newer] = [hashes.slice(0, size), hashes].map((all) => ({ size: all.length, root: naiveRoot(all) }))
      if (!older || !newer) return false
      const path = consistencyPath(hashes, size)
      const changed = path.map((hash, n) => (n === within(path.length, place) ? flipped(hash, bit) : hash))
      return (
        isConsistent(older, newer, path) &&
        !isConsistent({ ...older, root: flipped(older.root, bit) }, newer, path) &&
        !isConsistent(older, { ...newer, root: flipped(newer.root, bit) }, path) &&
        (path.length === 0 || !isConsistent(older, newer, changed)) &&
        (path.length === 0 || !isConsistent(older, newer, path.slice(0, -1))) &&
        !isConsistent(older, newer, [...path, newer.root])
      )
    }),
  )
})

t.test('given an event', async (t) => {
  const secret = Buffer.alloc(32, 1)
  const stored = (metadata: object, data: object = { b: 1, a: 'é' }): StoredEvent => ({
    ...{ id: 'id', stream: 'post-1', revision: 0, position: 7n, type: 'PostQueued', data, metadata },
  })
  const { event, salt, hash } = leafOf(stored({ at: 'now' }), secret)

  await t.test('then its leaf is its canonical JSON, with a salt', async (t) => {
    t.same(hash, leafHash(canonicalize({ salt, event }) ?? ''))
    t.same(leafOf({ ...stored({ at: 'now' }, { a: 'é', b: 1 }), position: 8n }, secret).hash, hash, 'in any order')
    t.notSame(leafOf(stored({ at: 'now' }), Buffer.alloc(32, 2)).hash, hash, 'of another tree')
    t.not(leafOf({ ...stored({ at: 'now' }), revision: 1 }, secret).salt, salt)
  })

  await t.test('when its personal fields are encrypted, then the leaf has their hash only', async (t) => {
    const sealed = (text: string) => leafOf(stored({ at: 'now', sealed: { key: 'k', hash: 'h', text } }), secret)
    t.same(sealed('one').event.metadata, { at: 'now', sealed: { key: 'k', hash: 'h' } })
    t.same(sealed('one').hash, sealed('two').hash)
  })

  await t.test('when a text in it cannot be UTF-8, then it has a leaf all the same', async (t) => {
    const odd = leafOf(stored({ at: 'now' }, { handle: { id: 'a\ud800' } }), secret)
    t.same(odd.event.data, { handle: { id: 'a\ufffd' } })
    t.same(odd.hash, leafHash(canonicalize({ event: odd.event, salt: odd.salt }) ?? ''))
  })
})

t.test('given a head, then only its own key opens it', async (t) => {
  const key = signingKey('fanfare/1', Buffer.alloc(32, 1))
  const head = { size: 3, root: leafHash(''), at: '2026-11-22T10:50:20.021Z' }
  const note = signHead(head, key)
  t.same(openHead(note, key.publicKey), head)
  t.throws(() => openHead(note, signingKey('fanfare/1', Buffer.alloc(32, 2)).publicKey), /not signed/)
  t.throws(() => openHead(note, signingKey('fanfare/2', Buffer.alloc(32, 1)).publicKey), /not signed/)
  t.throws(() => openHead(note.replace('\n3\n', '\n4\n'), key.publicKey), /not signed/)
})
