import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'

/*
 * Heads of the tree as signed notes (https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint), the format of public
 * transparency logs. The text is the name of the tree, its size, its root hash and, as an extension, the time.
 */

export interface Head {
  /** The number of events. */
  readonly size: number
  readonly root: Buffer
  /** When it was signed, ISO 8601 UTC. */
  readonly at: string
}

export interface SigningKey {
  /** The name of the tree, without spaces or `+`. */
  readonly name: string
  readonly privateKey: KeyObject
  /** The public key with its name, as signed notes have it: `name+id+base64`. */
  readonly publicKey: string
}

const ED25519 = Buffer.of(1)
/** What precedes the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32
const ID_BYTES = 4
const SIGNED = /^((?:[^\n]+\n)+)\n\u2014 (\S+) (\S+)\n$/

/** @param seed the 32 bytes of the private key */
export function signingKey(name: string, seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const bytes = Buffer.concat([ED25519, spki.subarray(-KEY_BYTES)])
  return { name, privateKey, publicKey: `${name}+${idOf(name, bytes).toString('hex')}+${bytes.toString('base64')}` }
}

/** The text, a blank line and a signature. @param text whole lines */
export function signNote(text: string, { name, privateKey, publicKey }: SigningKey): string {
  const id = Buffer.from(publicKey.split('+')[1] ?? '', 'hex')
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)])
  return `${text}\n\u2014 ${name} ${signature.toString('base64')}\n`
}

/** The text of a note; undefined if it is not signed by this key. */
export function openNote(note: string, publicKey: string): string | undefined {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(publicKey) ?? []
  const [, text = '', signer, signature = ''] = SIGNED.exec(note) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  const signed = Buffer.from(signature, 'base64')
  const isNamed = signer === name && idOf(name, bytes).toString('hex') === id
  if (!isNamed || signed.toString('hex', 0, ID_BYTES) !== id) return undefined
  const key = createPublicKey({ key: Buffer.concat([SPKI, bytes.subarray(1)]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, signed.subarray(ID_BYTES)) ? text : undefined
}

export function signHead({ size, root, at }: Head, key: SigningKey): string {
  return signNote(`${key.name}\n${size}\n${root.toString('base64')}\n${at}\n`, key)
}

/** @throws Error if the note is not a head signed by this key */
export function openHead(note: string, publicKey: string): Head {
  const [name, size = '', root = '', at] = openNote(note, publicKey)?.split('\n') ?? []
  if (name === undefined || at === undefined) throw new Error('it is not signed by the key of the tree')
  return { size: Number(size), root: Buffer.from(root, 'base64'), at }
}

function idOf(name: string, key: Buffer): Buffer {
  return createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, ID_BYTES)
}
