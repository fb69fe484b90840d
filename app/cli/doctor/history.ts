import type { Core } from '../../wiring/core.ts'
import { fault, ok, type Finding } from './finding.ts'

const REMEDY =
  'Run fanfare audit verify, which compares the whole log. docs/proof.md, "When the log was changed", says what to do then.'

/** Whether the log still fits its signed heads, which otherwise are no longer signed. */
export async function examineHistory({ tree }: Core): Promise<readonly Finding[]> {
  const { head, fault: found } = await (await tree()).examine()
  if (found !== undefined) return [fault('history', `${found} Nothing is signed until that is fixed.`, REMEDY)]
  return [ok('history', head ? `a signed head covers ${head.size} events` : 'no head was signed yet')]
}
