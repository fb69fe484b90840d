/** Replaces the handle of a call that is missing from a log restored from a backup (`commands/restored.ts`). */
export const FORGOTTEN = { forgotten: true } as const

export function isForgotten({ handle }: { readonly handle: Readonly<Record<string, unknown>> }): boolean {
  return handle['forgotten'] === true
}
