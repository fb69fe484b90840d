import * as z from 'zod'

/** Where requests come from. */
export const SURFACES = ['api', 'mcp', 'dashboard'] as const
export type Surface = (typeof SURFACES)[number]

const surface = z.enum(SURFACES, { error: `must be none, or one or more of ${SURFACES.join(',')}` })

/** `mcp,dashboard`, or `none`. */
export const surfaces = z
  .string()
  .transform((value) => (value.trim() === 'none' ? [] : value.split(',').map((name) => name.trim())))
  .pipe(z.array(surface))
