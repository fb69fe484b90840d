import type { PlatformKey } from '../../domain/core/platform.ts'
import type { GraphErrors } from './errors.ts'
import { graphCalls, type GraphCalls } from './graph.ts'

/** The API of one Meta platform: its calls, and the meaning of its errors. */
export interface GraphApi<Refusal extends string>
  extends GraphCalls, Pick<GraphErrors<Refusal>, 'name' | 'is' | 'errorOf'> {}

export function graphApi<Refusal extends string>(
  platform: PlatformKey,
  tried: string,
  errors: GraphErrors<Refusal>,
): GraphApi<Refusal> {
  return { ...errors, ...graphCalls(platform, tried, errors) }
}
