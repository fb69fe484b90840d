import type { EditRules } from '../../commands/edit-published.ts'
import type { QueuedPost, Target } from '../../domain/post/post.ts'
import { brokenRules } from '../../platforms/kit/checked-media.ts'
import { takingFor } from '../../platforms/kit/options-for.ts'
import type { Platform } from '../../platforms/kit/platform.ts'
import { Unsupported } from '../../platforms/kit/unsupported.ts'
import type { FollowUpWork } from './follow-up.ts'
import { optionsOf, partOf, publishJob } from './publish-job.ts'

/** What can be edited on a platform; undefined if its API cannot edit posts. */
export function editRulesOf(connector: Platform): EditRules | undefined {
  const { key: platform, edit } = connector
  if (!edit) return undefined
  return {
    options: edit.options,
    broken: (post, accountId) => {
      const options = optionsOf(post, connector, { platform, accountId })
      return brokenRules(takingFor(connector, options), { ...partOf(post, platform, 0), options })
    },
  }
}

/** How a post is edited on one account. Of a chain, its first part. */
export function editing(
  { access, key }: Pick<FollowUpWork, 'access' | 'key'>,
  post: QueuedPost & { readonly id: string },
  { published }: Target,
): Pick<FollowUpWork, 'what' | 'calls' | 'call'> {
  const platform = access.platform(key.platform)
  return {
    what: 'edit',
    calls: 1,
    call: async (_, io, connected) => {
      const [part] = published
      const job = publishJob(post.id, { id: key.accountId, ...connected }, post, platform)
      if (!platform.edit || !part) throw new Unsupported('Fanfare cannot edit posts there.')
      await platform.edit.run(job, part, io)
    },
  }
}
