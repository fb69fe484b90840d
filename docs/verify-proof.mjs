// Verifies a proof made by `fanfare audit prove`, offline: node verify-proof.mjs proof.json [<id>] [--key <key>]
// What it shows, and what it does not: proof.md. Standards: RFC 9162 §2.1, RFC 8785, c2sp.org/tlog-checkpoint.
import { createHash, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
const { values: given, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
const [file, id] = positionals
const fail = (fault) => (console.error(`NOT PROVEN: ${fault}`), process.exit(1))
const check = (holds, fault) => holds || fail(fault)
process.on('uncaughtException', ({ message }) => fail(message))
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const parent = (left, right) => sha256(Buffer.of(1), left, right)
// Refuses base64 that is another way to write the same bytes.
const bytes = (text) =>
  check(Buffer.from(text, 'base64').toString('base64') === text, 'invalid base64') && Buffer.from(text, 'base64')
/** Canonical JSON (RFC 8785): no spaces, and names in the order of their UTF-16 code units. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

/** A head is a note: the name of the log, its number of events, its root hash and the time, then a signature. */
function openHead(note, key) {
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(key) ?? fail('the key is malformed')
  const [, text, origin, size, root, at, signer, signature] =
    /^((\S+)\n(\d+)\n(\S+)\n(\S+)\n)\n\u2014 (\S+) (\S+)\n$/.exec(note) ?? fail('the head is malformed')
  const ids = [sha256(`${name}\n`, bytes(encoded)), bytes(signature)].map((begin) => begin.toString('hex', 0, 4))
  check(signer === name && origin === name && ids.every((one) => one === id), 'the head is of another key')
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes(encoded).toString('base64url', 1) }
  check(verify(null, Buffer.from(text), { key: jwk, format: 'jwk' }, bytes(signature).subarray(4)), 'wrong signature')
  return { size: Number(size), root: bytes(root), at }
}

/** Follows a path from a node to the root (RFC 9162 §2.1.3.2), and to the root of an older tree (§2.1.4.2). */
function rootsOf(index, size, leaf, path, older = leaf) {
  check(Number.isSafeInteger(index) && index >= 0 && index < size, 'an index is outside the log')
  let [at, last, root, olderRoot] = [index, size - 1, leaf, older]
  for (const sibling of path.map(bytes)) {
    check(last > 0, 'a path is too long')
    if (at % 2 === 1 || at === last) {
      ;[root, olderRoot] = [parent(sibling, root), parent(sibling, olderRoot)]
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else root = parent(root, sibling)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return check(last === 0, 'a path is too short') && { root, olderRoot }
}

function checkConsistent(older, newer, path) {
  if (older.size === newer.size) return check(older.root.equals(newer.root), 'the older head is of another history')
  let [at, last] = [older.size - 1, newer.size - 1]
  while (at % 2 === 1) [at, last] = [(at - 1) / 2, Math.floor(last / 2)]
  const [seed, rest] = at === 0 ? [older.root, path] : [bytes(path[0]), path.slice(1)]
  const { root, olderRoot } = rootsOf(at, last + 1, seed, rest)
  check(root.equals(newer.root) && olderRoot.equals(older.root), 'what the older head covers was changed')
}

const proof = JSON.parse(readFileSync(file, 'utf8'))
check(proof.format === 'fanfare-proof/1', `the format is ${proof.format}`)
check(!given.key || given.key === proof.key, `it was made with another key, ${proof.key}`)
const head = openHead(proof.head, proof.key)
if (proof.since) checkConsistent(openHead(proof.since.head, proof.key), head, proof.since.path)
const events = proof.events.map(({ event }) => event)
const lines = proof.events.map(({ index, event, salt, path, personal }) => {
  const { root } = rootsOf(index, head.size, sha256(Buffer.of(0), canonical({ event, salt })), path)
  check(root.equals(head.root), `event ${index} (${event.type}) is not in the log`)
  const { sealed, at, actor } = event.metadata
  const hash = personal && sha256(bytes(personal.salt), personal.fields).toString('base64url')
  check(hash === undefined || hash === sealed?.hash, `the personal data of event ${index} was changed`)
  const isErased = events.some((e) => /Erased$/.test(e.type) && e.stream === (sealed?.of ?? event.stream).split('/')[0])
  const hidden = sealed && { '(personal data)': isErased ? '[erased]' : '[not disclosed]' }
  const fields = JSON.stringify({ ...event.data, ...(personal ? JSON.parse(personal.fields) : hidden) }, null, 4)
  return `${at}  ${actor.kind} ${actor.id}  ${event.type}  (${event.stream} at ${event.revision}) ${fields}`
})
const isIt = (stream) => stream.endsWith(id ? `-${id}` : '')
check(proof.streams.some(isIt), `it is not the whole history of ${id ?? 'anything'}`)
for (const stream of proof.streams) {
  const revisions = events.filter((event) => event.stream === stream).map(({ revision }) => revision)
  check(revisions.length > 0 && revisions.every((revision, n) => revision === n), `${stream} has a gap`)
  lines.push(`Complete, from 0 to ${revisions.length - 1}: ${stream}`)
}
for (const [label, ...types] of [
  ['Submitted', 'PostScheduled', 'PostQueued', 'RecyclingRuleAdded', 'FeedAdded', 'VideoRequested', 'ReplyOpened'],
  ['Drafted by a model', 'DraftWritten', 'CaptionRewritten'],
  ['Approved', 'ReplyApproved'],
  ['Published', 'AccountPublished', 'ReplySent'],
]) {
  const told = events.flatMap(({ type, stream, data, metadata: { at, actor } }) => {
    const of = proof.streams.includes(stream) ? '' : `(of the related ${stream})`
    const what = [of, data.provider, data.model, data.platform, data.accountId, data.url].filter(Boolean).join(' ')
    return types.includes(type) ? `\n    ${at}  ${type} by ${actor.kind} ${actor.id}  ${what}` : []
  })
  lines.push(`${label}:${told.join('') || ' nothing in this proof'}`)
}
lines.push(`PROVEN: ${events.length} of the ${head.size} events signed at ${head.at} with the key ${proof.key}`)
if (proof.since) lines.push(`The log still begins with what this older head covers:\n${proof.since.head}`)
if (!given.key) lines.push('Anybody can make a key: compare this one with what the publisher gave you (--key).')
console.log(lines.join('\n').replace(/[^\n\P{C}]/gu, '?')) // Nothing in an event may move the cursor of a terminal.
