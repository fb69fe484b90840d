import { exit } from 'node:process'
import type { FitAnswer, FitJob } from '../../infra/media/image-fitter.ts'

/** Does with each job what its `from` says. */
const answers: Record<string, () => void> = {
  ok: () => answer({ isReduced: false }),
  bad: () => answer({ error: 'bad' }),
  crash: () => exit(1),
  never: () => undefined,
}

function answer(message: FitAnswer): void {
  process.send?.(message)
}

process.on('message', ({ from }: FitJob) => answers[from]?.())
process.on('disconnect', () => exit(0))
