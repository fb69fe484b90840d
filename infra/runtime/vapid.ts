import { createECDH, hkdfSync } from 'node:crypto'

/** What the service proves to a push service with that a message is its own (RFC 8292). Keys are in base64url. */
export interface Vapid extends VapidKeys {
  /** Whom the push service can ask: an `https:` or `mailto:` URL. */
  readonly subject: string
}

export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** The order of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** 128 bits more than a key has, so that none is more likely (FIPS 186-5, A.2.1). */
const BYTES = 48

/**
 * The key pair is the same whenever it is made, in every process: browsers accept messages only by the pair that they subscribed
 * with.
 *
 * @param secret the derivation secret, which outlives the master key
 */
export function vapidKeys(secret: Buffer): VapidKeys {
  const bits = BigInt(`0x${Buffer.from(hkdfSync('sha256', secret, '', 'browser push', BYTES)).toString('hex')}`)
  const privateKey = Buffer.from(((bits % (ORDER - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

/** Push services refuse a sender whom they cannot ask, and Apple's one whose host is local. */
export function vapidSubject(from: { readonly PUBLIC_URL?: string | undefined; readonly MAIL_FROM: string }): string {
  if (from.PUBLIC_URL?.startsWith('https:')) return from.PUBLIC_URL
  return `mailto:${from.MAIL_FROM.split(/[<>]/)[1] ?? from.MAIL_FROM}`
}
