import * as z from 'zod'
import { text } from '../../../domain/core/text.ts'
import { editResult, unpublishResult } from '../../../domain/post/follow-up.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

/** Body of POST /posts/{id}/unpublish. */
export const unpublishPostBody = z
  .object({
    accounts: z
      .array(text(100).min(1))
      .min(1, { error: 'must not be empty' })
      .optional()
      .describe('Ids of some of its accounts. Default: all accounts on which it is published.'),
  })
  .meta({ example: { accounts: [EXAMPLE.account] } })
  .optional()

const at = unpublishResult.shape.at.describe('UTC. When it got this status.')

export const unpublishSchema = unpublishResult
  .extend({
    status: unpublishResult.shape.status.describe(
      'in_progress: the platform is asked to delete the post, again at nextAttemptAt after an error. unpublished: the ' +
        'platform no longer has it. failed: error says why; unpublish it again once that is fixed. unsupported: the ' +
        'API of the platform cannot delete posts; error says where to delete it.',
    ),
    at,
  })
  .meta({ id: 'UnpublishResult' })

export const editSchema = editResult
  .extend({
    status: editResult.shape.status.describe(
      'in_progress: the platform is asked to change the post, again at nextAttemptAt after an error. edited: the account ' +
        'has the new text. failed: error says why; edit the post again once that is fixed. unsupported: the API of the ' +
        'platform cannot edit posts, so the account still has the earlier text; error says where to edit it.',
    ),
    at,
  })
  .meta({ id: 'EditResult' })
