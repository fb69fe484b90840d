import { Refusal } from '../domain/core/errors.ts'
import { workspace, type WorkspaceEvent, type WorkspaceState } from '../domain/workspace/workspace.ts'
import { load, type CommandDeps } from './handle.ts'

/** @throws Refusal not_found */
export function setVoice(state: WorkspaceState, text: string): readonly WorkspaceEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such workspace.')
  return (state.voice ?? '') === text ? [] : [{ type: 'VoiceSet', data: { text } }]
}

/** How texts of the workspace are to be written; empty if nobody has said so. */
export async function voiceOf(log: CommandDeps['log'], workspaceId: string): Promise<string> {
  const state = await load(log, workspace, workspaceId)
  return state.status === 'active' ? (state.voice ?? '') : ''
}
