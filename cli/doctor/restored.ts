import type { Core } from '../../main.ts'
import { restoreStatus } from '../restore/restored.ts'
import { findings, type Finding } from './finding.ts'

/** What waits because the log was restored. */
export async function examineRestored(core: Core): Promise<readonly Finding[]> {
  const { heldSince, waiting } = await restoreStatus(core)
  if (heldSince === undefined) return []
  const remedy = 'See what is live already, then run: fanfare restore release --yes'
  const faults = waiting.map(({ kind, id, platform, text }) => ({
    finding: ['waits:', kind, id, platform ?? '', text ?? ''].join(' ').trim(),
    remedy,
  }))
  const held = { finding: `the log was restored, and nothing is sent since ${heldSince}`, remedy }
  return findings('restore', 'warning', [held, ...faults], '')
}
