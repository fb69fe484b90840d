import type { Core } from '../../wiring/core.ts'
import { restoreStatus } from '../restore/restored.ts'
import { findings, type Finding } from './finding.ts'

/** What is waiting because the log was restored. */
export async function examineRestored(core: Core): Promise<readonly Finding[]> {
  const { heldSince, found, toLookFor, waiting } = await restoreStatus(core)
  if (heldSince === undefined) return []
  const remedy = 'See fanfare restore status, then run: fanfare restore release'
  const faults = waiting.map(({ kind, id, platform = '', text = '', outcome, reason = '' }) => ({
    finding: ['waiting:', kind, id, platform, text, `(${outcome})`, reason].filter((part) => part !== '').join(' '),
    remedy,
  }))
  const counts = `${found} found and settled, ${toLookFor} to look up`
  const held = { finding: `the log was restored, and nothing has been sent since ${heldSince}: ${counts}`, remedy }
  return findings('restore', 'warning', [held, ...faults], '')
}
