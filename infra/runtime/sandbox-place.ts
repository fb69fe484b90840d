/** Whether there is a sandbox, and who runs it: with `elsewhere`, another process on the same machine. */
export const SANDBOX_PLACES = ['on', 'off', 'elsewhere'] as const
export type SandboxPlace = (typeof SANDBOX_PLACES)[number]
