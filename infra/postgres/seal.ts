import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

/** AES-256-GCM. Decrypting requires the same `boundTo`, so ciphertexts cannot be swapped. */
export function seal(key: Buffer, boundTo: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @throws Error if it was encrypted with another key, or bound to something else */
export function open(key: Buffer, boundTo: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()])
  } catch (cause) {
    throw new Error('a secret cannot be decrypted: it was encrypted with another key or has been modified', { cause })
  }
}
