import { randomInt } from 'node:crypto'

/** Without characters that are easily confused when typed from a screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LETTERS = 5

/** 24 random bits in each of some groups that are easy to type. */
export function readableSecret(groups: number): string {
  const group = () => Array.from({ length: LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}
