import type { PostEvent } from '../../post/post-events.ts'
import { counted, FAILED, listed, quoted, receivers, sentence } from './wording.ts'

const ORIGIN = {
  api: 'by a request',
  schedule: 'by its schedule',
  rss: 'by a feed',
  recycling: 'by a recycling rule',
  demo: 'for the demo',
} as const

const DECIDED = { approved: 'Approved', changes_requested: 'Changes were requested', rejected: 'Rejected' } as const

export function describePost(event: PostEvent): string {
  switch (event.type) {
    case 'PostScheduled': {
      const { selections, caption, awaitsApproval = false } = event.data
      const begin = awaitsApproval ? 'Written' : `Scheduled for ${moment(event.data)}`
      return sentence(`${begin}, to be published on ${receivers(selections)}`, quoted(caption))
    }
    case 'PostRescheduled':
      return sentence(`Moved to ${moment(event.data)}`)
    case 'PostEdited': {
      const { selections, caption } = event.data
      return sentence(`Edited, to be published on ${receivers(selections)}`, quoted(caption))
    }
    case 'PostMediaPinned': {
      const { media } = event.data
      const failed = media.flatMap((item) => ('error' in item ? [item.error] : []))
      const copied = media.length - failed.length
      const parts = [
        ...(media.length === 0 ? ['All of its media are files of Fanfare already'] : []),
        ...(copied > 0
          ? [`${counted(copied, 'file was', 'files were')} copied, to be kept until it is published`]
          : []),
        ...(failed.length > 0 ? [`${counted(failed.length, 'file')} could not be copied`] : []),
      ]
      return sentence(parts.join(', and '), failed[0])
    }
    case 'ScheduleCancelled':
      return 'The schedule was cancelled.'
    case 'ApprovalRequested':
      return event.data.publishes === 'on_approval'
        ? 'Approval was requested. The post is published as soon as it is approved.'
        : `Approval was requested. The post is published at ${event.data.dueAt} if it is approved by then.`
    case 'ApprovalDecided':
      return sentence(DECIDED[event.data.decision], event.data.comment)
    case 'ApprovalCommented':
      return sentence('Commented', event.data.comment)
    case 'ReviewLinkCreated': {
      const { label, mayDecide, expiresAt } = event.data
      const what = mayDecide ? 'review' : 'comment on'
      return sentence(`A link to ${what} the post was created. It works until ${expiresAt}`, label || undefined)
    }
    case 'ReviewLinkRevoked':
      return 'A link to review the post was revoked.'
    case 'PostHeld':
      return 'Held: its time passed before it was approved.'
    case 'PostQueued': {
      const { origin, selections, caption } = event.data
      return sentence(`Queued ${ORIGIN[origin]} for ${receivers(selections)}`, quoted(caption))
    }
    case 'PlatformRefused':
      return sentence(`Not published on ${event.data.platform}`, event.data.error)
    case 'PublishStarted':
      return sentence(`Started publishing on ${where(event.data)}`)
    case 'PublishProgressed':
      return sentence(`Still being processed by ${where(event.data)}, with the next check at ${event.data.lookAt}`)
    case 'PublishPrepared':
      return sentence(`Ready to publish on ${where(event.data)}`)
    case 'PublishAnswerLost': {
      const { lookAt, until, error } = event.data
      return sentence(
        `The response from ${where(event.data)} was lost, with checks for the post from ${lookAt} until ${until}`,
        error,
      )
    }
    case 'PublishDeferred': {
      const { retryAt, error } = event.data
      return sentence(`Publishing on ${where(event.data)} failed and will be retried at ${retryAt}`, error)
    }
    case 'AccountPublished': {
      const { postId, url, note, chain } = event.data
      const part = chain ? `Part ${chain.published.length} of ${chain.parts} was published` : 'Published'
      return sentence(`${part} on ${where(event.data)}`, note ?? url ?? `its id on the platform is ${postId}`)
    }
    case 'AccountPublishFailed': {
      const { code, error, chain } = event.data
      const what = chain ? `Publishing part ${chain.published.length + 1} of ${chain.parts}` : 'Publishing'
      return sentence(`${what} on ${where(event.data)} ${FAILED[code]}`, error)
    }
    case 'FirstCommentQueued':
      return sentence(`The first comment was queued for ${event.data.platform} (account ${event.data.accountId})`)
    case 'FirstCommentProgressed': {
      const { platform, accountId, lookAt } = event.data
      return sentence(
        `The first comment is being processed by ${platform} (account ${accountId}), with the next check at ${lookAt}`,
      )
    }
    case 'FirstCommentStarted':
      return sentence(`Started posting the first comment on ${where(event.data)}`)
    case 'FirstCommentDeferred': {
      const { retryAt, error } = event.data
      return sentence(`The first comment on ${where(event.data)} failed and will be retried at ${retryAt}`, error)
    }
    case 'FirstCommentPosted':
      return sentence(`Posted the first comment on ${where(event.data)}`)
    case 'FirstCommentFailed':
      return sentence(`The first comment on ${where(event.data)} failed`, event.data.error)
    case 'UnpublishRequested':
      return sentence(`Deletion from ${event.data.platform} (account ${event.data.accountId}) was requested`)
    case 'UnpublishStarted':
      return sentence(`Started deleting from ${where(event.data)}`)
    case 'UnpublishDeferred': {
      const { retryAt, error } = event.data
      return sentence(`Deleting from ${where(event.data)} failed and will be retried at ${retryAt}`, error)
    }
    case 'AccountUnpublished':
      return sentence(`Deleted from ${where(event.data)}`)
    case 'UnpublishFailed':
      return sentence(`Deleting from ${where(event.data)} failed`, event.data.error)
    case 'UnpublishUnsupported':
      return sentence(`Not deleted from ${event.data.platform} (account ${event.data.accountId})`, event.data.error)
    case 'PostTextEdited':
      return sentence('The text of the post was edited', quoted(event.data.caption))
    case 'EditRequested':
      return sentence(`An edit on ${event.data.platform} (account ${event.data.accountId}) was requested`)
    case 'EditStarted':
      return sentence(`Started editing on ${where(event.data)}`)
    case 'EditDeferred': {
      const { retryAt, error } = event.data
      return sentence(`Editing on ${where(event.data)} failed and will be retried at ${retryAt}`, error)
    }
    case 'AccountEdited':
      return sentence(`Edited on ${where(event.data)}`)
    case 'EditFailed':
      return sentence(`Editing on ${where(event.data)} failed`, event.data.error)
    case 'EditUnsupported':
      return sentence(`Not edited on ${event.data.platform} (account ${event.data.accountId})`, event.data.error)
    case 'RetryRequested': {
      const { platform, accountIds } = event.data
      return sentence(
        `A retry on ${platform} was requested for ${counted(accountIds.length, 'account')}`,
        listed(accountIds),
      )
    }
    case 'PostFinished': {
      const { status, okCount, total } = event.data
      return sentence(
        `Finished as ${status === 'published' ? 'published' : 'failed'}`,
        `${okCount} of ${total} succeeded`,
      )
    }
  }
}

function moment(due: {
  readonly date: string
  readonly time: string
  readonly timezone: string
  readonly dueAt: string
}) {
  return `${due.date} ${due.time} ${due.timezone} (${due.dueAt})`
}

function where(of: { readonly platform: string; readonly accountId: string; readonly attempt: number }): string {
  return `${of.platform} (account ${of.accountId}, attempt ${of.attempt})`
}
