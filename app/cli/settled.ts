import type { Core } from '../main.ts'

/** How long (ms) the running service gets to show a command's effect before the command line does it itself. */
const PATIENCE_MS = 2_000

/** Waits until the read models show what a command has written. */
export async function settled(core: Core, { position }: { readonly position?: bigint }): Promise<void> {
  if (position !== undefined && !(await core.seen.waitFor(position, PATIENCE_MS))) await core.projector.catchUp()
}
