import { hasStatus } from './errors.ts'

/** Runs a deletion. What is not found has been deleted already: by an earlier call whose response was lost, or by a person. */
export async function unlessGone(deletion: () => Promise<unknown>): Promise<void> {
  try {
    await deletion()
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
  }
}
