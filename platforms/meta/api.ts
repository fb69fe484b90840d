import type { PlatformKey } from '../../domain/core/platform.ts'
import { graphErrors, type ErrorTable, type GraphErrors } from './errors.ts'
import { graphCalls, type GraphCalls } from './graph.ts'
import type { GraphTrouble } from './trouble.ts'

/** The API of one Meta platform: its calls, and the meaning of its errors. */
export interface GraphApi<Trouble extends string> extends GraphCalls, GraphErrors<Trouble> {
  /** The platform's display name. */
  readonly name: string
}

export function graphApi<Trouble extends string>(
  platform: PlatformKey,
  version: string,
  table: ErrorTable<Trouble | GraphTrouble>,
): GraphApi<Trouble | GraphTrouble> {
  const errors = graphErrors<Trouble>(table)
  return { name: table.name, ...errors, ...graphCalls(platform, version, errors) }
}
