import type { Core } from '../wiring/core.ts'

/** How long (ms) to wait for the running service to project a command's events before the command line does it itself. */
const PATIENCE_MS = 2_000

/** Waits until the read models reflect what a command has written. */
export async function settled(core: Core, { position }: { readonly position?: bigint }): Promise<void> {
  if (position !== undefined && !(await core.seen.waitFor(position, PATIENCE_MS))) await core.projector.catchUp()
}
