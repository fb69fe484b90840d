import type { WorkspaceEvent } from '../../workspace/workspace.ts'
import { counted, quoted, sentence, undone } from './wording.ts'

export function describeWorkspace(event: WorkspaceEvent): string {
  switch (event.type) {
    case 'WorkspaceCreated':
      return sentence('The workspace was created', quoted(event.data.name))
    case 'WorkspaceRenamed':
      return sentence('The workspace was renamed', quoted(event.data.name))
    case 'SlotsSet': {
      const { timezone, platforms, ...plan } = event.data
      const plans = [['default', plan.default] as const, ...Object.entries(platforms)]
      const counts = plans.map(([name, slots]) => `${name} ${slots.length}`).join(', ')
      return sentence(`The slots were set, in ${timezone}`, counts)
    }
    case 'ApprovalPolicySet': {
      const { who, accountIds } = event.data
      const where = accountIds ? `for ${counted(accountIds.length, 'account')}` : 'for all accounts'
      return `Approval is needed ${who === 'nobody' ? 'by nobody' : `by ${who}, ${where}`}.`
    }
    case 'UndoSet':
      return `${undone(event.data.seconds)}.`
    case 'VoiceSet':
      return event.data.text === ''
        ? 'The brand voice was removed.'
        : sentence('The brand voice was set', quoted(event.data.text))
    case 'WorkspaceClosed':
      return 'The erasure of the workspace was requested.'
    case 'WorkspaceErased':
      return 'The workspace was erased.'
  }
}
