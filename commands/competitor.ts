import type {
  AddedCompetitor,
  CompetitorEvent,
  CompetitorLook,
  CompetitorState,
} from '../domain/analytics/competitor.ts'
import { Refusal } from '../domain/core/errors.ts'
import { asText } from '../domain/core/text.ts'

/** No-op when the competitor is already tracked. */
export function addCompetitor(state: CompetitorState, command: AddedCompetitor): readonly CompetitorEvent[] {
  return state.status === 'tracked' ? [] : [{ type: 'CompetitorAdded', data: command }]
}

/** @throws Refusal not_found when it is not, or no longer, tracked */
export function removeCompetitor(state: CompetitorState): readonly CompetitorEvent[] {
  if (state.status === 'tracked') return [{ type: 'CompetitorRemoved', data: {} }]
  throw new Refusal('not_found', 'No such competitor.')
}

export function recordLook(state: CompetitorState, look: CompetitorLook): readonly CompetitorEvent[] {
  if (state.status !== 'tracked') return []
  return [{ type: 'CompetitorLooked', data: { ...look, workspaceId: state.workspaceId } }]
}

/** The caller erases the keys. @param before ISO 8601 UTC */
export function eraseFigures(state: CompetitorState, before: string): readonly CompetitorEvent[] {
  return state.status === 'tracked' ? [{ type: 'CompetitorFiguresErased', data: { before } }] : []
}

/** The keys of a removed competitor are erased. */
export function eraseRemoved(state: CompetitorState): readonly CompetitorEvent[] {
  return state.status === 'removed' ? [{ type: 'PersonalDataErased', data: { publicEvents: [] } }] : []
}

/** Records an error only when it differs from the last one. @param given may quote the platform's response */
export function failLook(state: CompetitorState, given: string): readonly CompetitorEvent[] {
  const error = asText(given, 500)
  if (state.status !== 'tracked' || state.lastError === error) return []
  return [{ type: 'CompetitorLookFailed', data: { error } }]
}
