/** In place of the handle of a call that a log restored from a backup has forgotten (`commands/restored.ts`). */
export const FORGOTTEN = { forgotten: true } as const

export function isForgotten({ handle }: { readonly handle: Readonly<Record<string, unknown>> }): boolean {
  return handle['forgotten'] === true
}
