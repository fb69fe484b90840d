import type { WorkspaceEvent } from '../../workspace/workspace.ts'
import { quoted, sentence } from './wording.ts'

export function describeWorkspace(event: WorkspaceEvent): string {
  switch (event.type) {
    case 'WorkspaceCreated':
      return sentence('The workspace was created', quoted(event.data.name))
  }
}
