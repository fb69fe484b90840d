import { exit } from 'node:process'
import type { ConversionJob } from '../../infra/media/converter.ts'
import type { ConversionAnswer } from '../../infra/media/image-converter.ts'

/** Does with each job what its `from` says. */
const answers: Record<string, () => void> = {
  ok: () => answer({ isReduced: false }),
  bad: () => answer({ error: 'bad' }),
  crash: () => exit(1),
  never: () => undefined,
}

function answer(message: ConversionAnswer): void {
  process.send?.(message)
}

process.on('message', ({ from }: ConversionJob) => answers[from]?.())
process.on('disconnect', () => exit(0))
